import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Eight threads with a connection each on one embedded data base: own rows and a shared table of accounts. */
final class SqlLoad {
    /** Where connections come from; the data base itself is all that differs. */
    interface Source {
        Connection open() throws SQLException;
    }

    static final int THREADS = 8, ACCOUNTS = 50, BALANCE = 100;

    private final Source source;
    private final AtomicLong rows = new AtomicLong(), transfers = new AtomicLong(), retries = new AtomicLong();

    private SqlLoad(Source source) {
        this.source = source;
    }

    static void run(String[] args, Source source) throws Exception {
        SqlLoad sql = new SqlLoad(source);
        sql.create();
        Load load = new Load(args);
        Connection[] connections = new Connection[THREADS];
        for (int i = 0; i < THREADS; i++) {
            Connection c = connections[i] = source.open();
            c.setAutoCommit(false);
            c.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            Client client = sql.new Client(c, i);
            load.add("sql-" + i, client);
        }
        load.finish();
        for (Connection c : connections) c.close();
        sql.verify();
        System.out.println("ok");
    }

    private void create() throws SQLException {
        try (Connection c = source.open(); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL)");
            s.execute("CREATE TABLE item (owner INT NOT NULL, id INT NOT NULL, name VARCHAR(60), amount INT, "
                + "PRIMARY KEY (owner, id))");
            s.execute("CREATE INDEX item_amount ON item (amount)");
            for (int i = 0; i < ACCOUNTS; i++) s.execute("INSERT INTO account VALUES (" + i + ", " + BALANCE + ")");
        }
    }

    /** Money is neither made nor lost, and every row that was inserted and not deleted is there. */
    private void verify() throws SQLException {
        try (Connection c = source.open(); Statement s = c.createStatement()) {
            Load.check(one(s, "SELECT SUM(balance) FROM account") == ACCOUNTS * BALANCE, "the sum of accounts changed");
            Load.check(one(s, "SELECT COUNT(*) FROM item") == rows.get(), "rows were lost or appeared");
            Load.check(transfers.get() > 0, "no transfer was committed");
        }
    }

    static long one(Statement s, String query) throws SQLException {
        try (ResultSet r = s.executeQuery(query)) {
            Load.check(r.next(), "no row");
            return r.getLong(1);
        }
    }

    private final class Client implements Load.Step {
        private final Connection connection;
        private final int me;
        private final Random random;
        private int next, oldest;

        Client(Connection connection, int me) {
            this.connection = connection;
            this.me = me;
            random = new Random(me);
        }

        @Override public void run(long turn) throws SQLException {
            int inserted = 0, deleted = 0, transferred = 0;
            try {
                switch ((int) (turn % 6)) {
                    case 0: case 1: inserted = insert(); break;
                    case 2: deleted = delete(); break;
                    case 3: update(); break;
                    case 4: query(); break;
                    default: transferred = transfer();
                }
                connection.commit();
            } catch (SQLException e) {
                // Deadlock victims and lock time-outs are part of the game; anything else is a failure.
                connection.rollback();
                String state = String.valueOf(e.getSQLState());
                if (!state.startsWith("40") && !state.equals("HYT00") && !state.equals("90131")) throw e;
                retries.incrementAndGet();
                return;
            }
            next += inserted;
            oldest += deleted;
            rows.addAndGet(inserted - deleted);
            transfers.addAndGet(transferred);
        }

        private int insert() throws SQLException {
            try (PreparedStatement p = connection.prepareStatement("INSERT INTO item VALUES (?, ?, ?, ?)")) {
                for (int i = 0; i < 5; i++) {
                    p.setInt(1, me);
                    p.setInt(2, next + i);
                    p.setString(3, "item " + next + " of " + me);
                    p.setInt(4, random.nextInt(1000));
                    Load.check(p.executeUpdate() == 1, "a row was not inserted");
                }
            }
            return 5;
        }

        private int delete() throws SQLException {
            if (next - oldest < 100) return 0;
            try (PreparedStatement p = connection.prepareStatement("DELETE FROM item WHERE owner = ? AND id < ?")) {
                p.setInt(1, me);
                p.setInt(2, oldest + 10);
                Load.check(p.executeUpdate() == 10, "other rows were deleted than asked for");
            }
            return 10;
        }

        private void update() throws SQLException {
            try (PreparedStatement p = connection.prepareStatement("UPDATE item SET amount = ? WHERE owner = ? AND id = ?")) {
                p.setInt(1, random.nextInt(1000));
                p.setInt(2, me);
                p.setInt(3, oldest);
                Load.check(p.executeUpdate() == (next > oldest ? 1 : 0), "the row to change is not there");
            }
        }

        private void query() throws SQLException {
            try (Statement s = connection.createStatement()) {
                Load.check(one(s, "SELECT COUNT(*) FROM item WHERE owner = " + me) == next - oldest, "own rows differ");
                try (ResultSet r = s.executeQuery("SELECT id, name FROM item WHERE owner = " + me + " ORDER BY id")) {
                    for (int id = oldest; r.next(); id++) {
                        Load.check(r.getInt(1) == id && r.getString(2).endsWith(" of " + me), "a row is not mine");
                    }
                }
            }
        }

        /** Locks are taken in the order of the keys, so that victims are rare. */
        private int transfer() throws SQLException {
            int a = random.nextInt(ACCOUNTS - 1), b = a + 1 + random.nextInt(ACCOUNTS - 1 - a);
            int amount = random.nextInt(10) - 5;
            try (PreparedStatement p = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
                for (int side = 0; side < 2; side++) {
                    p.setInt(1, side == 0 ? amount : -amount);
                    p.setInt(2, side == 0 ? a : b);
                    Load.check(p.executeUpdate() == 1, "no such account");
                }
            }
            return 1;
        }
    }
}
