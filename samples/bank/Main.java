// race: instance bank.Bank.fees
package bank;

import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** Four tellers book transfers at the same time; in the evening the fees should match the number of transfers. */
public final class Main {
    private static final int TELLERS = 4;
    private static final int TRANSFERS = 20_000;

    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        Bank bank = new Bank(16, 1_000_000);
        CountDownLatch open = new CountDownLatch(1);
        Thread[] tellers = new Thread[TELLERS];
        for (int i = 0; i < TELLERS; i++) {
            int seed = i;
            tellers[i] = new Thread(() -> work(bank, open, seed), "teller-" + i);
            tellers[i].start();
        }
        open.countDown();
        for (Thread teller : tellers) {
            teller.join();
        }
        System.out.println(bank.transfers() + " transfers, fees " + bank.fees());
        System.out.println("missing from the books: " + (16_000_000 - bank.totalBalance() - bank.fees()));
        System.out.println("ok");
    }

    private static void work(Bank bank, CountDownLatch open, int seed) {
        Random random = new Random(seed);
        try {
            open.await();
        } catch (InterruptedException e) {
            return;
        }
        for (int i = 0; i < TRANSFERS; i++) {
            int from = random.nextInt(bank.size());
            int to = (from + 1 + random.nextInt(bank.size() - 1)) % bank.size();
            bank.transfer(from, to, random.nextInt(50));
        }
    }
}
