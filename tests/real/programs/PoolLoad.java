import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool2.BaseKeyedPooledObjectFactory;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericKeyedObjectPool;
import org.apache.commons.pool2.impl.GenericKeyedObjectPoolConfig;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** commons-pool2: many threads borrow and return while idle objects are evicted. */
public class PoolLoad {
    /** Its fields are plain on purpose: the pool must order one borrower before the next. */
    static final class Item {
        int uses;
        Thread user;
        boolean destroyed;

        void use() {
            Load.check(user == null && !destroyed, "an object was lent twice or after its end");
            user = Thread.currentThread();
            uses++;
            user = null;
        }
    }

    static final class Items extends BasePooledObjectFactory<Item> {
        @Override public Item create() {
            return new Item();
        }

        @Override public PooledObject<Item> wrap(Item item) {
            return new DefaultPooledObject<>(item);
        }

        @Override public boolean validateObject(PooledObject<Item> p) {
            return !p.getObject().destroyed;
        }

        @Override public void destroyObject(PooledObject<Item> p) {
            p.getObject().destroyed = true;
        }
    }

    static final class KeyedItems extends BaseKeyedPooledObjectFactory<String, Item> {
        @Override public Item create(String key) {
            return new Item();
        }

        @Override public PooledObject<Item> wrap(Item item) {
            return new DefaultPooledObject<>(item);
        }
    }

    static GenericObjectPoolConfig<Item> config() {
        GenericObjectPoolConfig<Item> c = new GenericObjectPoolConfig<>();
        c.setMaxTotal(5);
        c.setMaxIdle(4);
        c.setMinIdle(1);
        c.setTestOnBorrow(true);
        c.setTestWhileIdle(true);
        c.setTimeBetweenEvictionRuns(Duration.ofMillis(20));
        c.setMinEvictableIdleTime(Duration.ofMillis(5));
        return c;
    }

    public static void main(String[] args) throws Exception {
        Load load = new Load(args);
        ConcurrentHashMap<Item, AtomicInteger> out = new ConcurrentHashMap<>();
        GenericObjectPool<Item> pool = new GenericObjectPool<>(new Items(), config());
        GenericKeyedObjectPoolConfig<Item> keyedConfig = new GenericKeyedObjectPoolConfig<>();
        keyedConfig.setMaxTotalPerKey(2);
        keyedConfig.setTimeBetweenEvictionRuns(Duration.ofMillis(30));
        keyedConfig.setMinEvictableIdleTime(Duration.ofMillis(5));
        GenericKeyedObjectPool<String, Item> keyed = new GenericKeyedObjectPool<>(new KeyedItems(), keyedConfig);
        for (int i = 0; i < 8; i++) {
            int me = i;
            load.add("borrower-" + i, turn -> {
                Item item = pool.borrowObject();
                Load.check(out.computeIfAbsent(item, k -> new AtomicInteger()).incrementAndGet() == 1, "lent twice");
                item.use();
                out.get(item).decrementAndGet();
                if (turn % 97 == 0) {
                    out.remove(item);
                    pool.invalidateObject(item);
                } else {
                    pool.returnObject(item);
                }
                if (turn % 200 == 0) Thread.sleep(1 + me % 3);
            });
        }
        for (int i = 0; i < 4; i++) {
            int me = i;
            load.add("keyed-" + i, turn -> {
                String key = "key" + (turn + me) % 3;
                Item item = keyed.borrowObject(key);
                item.use();
                keyed.returnObject(key, item);
                if (turn % 100 == 0) Thread.sleep(2);
            });
        }
        load.add("watcher", turn -> {
            Load.check(pool.getNumActive() + pool.getNumIdle() <= 2 * pool.getMaxTotal(), "too many objects");
            pool.getMeanBorrowWaitTimeMillis();
            Thread.sleep(3);
        });
        load.finish();
        Load.check(pool.getNumActive() == 0 && keyed.getNumActive() == 0, "objects were lost");
        Load.check(pool.getBorrowedCount() > 0, "nothing was borrowed");
        pool.close();
        keyed.close();
        System.out.println("ok");
    }
}
