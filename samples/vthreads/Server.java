package vthreads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Adds up lines of numbers, one virtual thread per connection; listens on the loopback interface only. */
final class Server {
    final Stats stats = new Stats();
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    private final int connections;
    private final CountDownLatch served;

    /** Accepts exactly that many connections, then stops. */
    Server(int connections) throws IOException {
        this.connections = connections;
        served = new CountDownLatch(connections);
        handlers.submit(this::acceptAll);
    }

    int port() {
        return socket.getLocalPort();
    }

    private Void acceptAll() throws IOException {
        for (int i = 0; i < connections; i++) {
            Socket client = socket.accept();
            handlers.submit(() -> serve(client));
        }
        return null;
    }

    private Void serve(Socket client) throws IOException {
        try (client;
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream()));
                PrintWriter out = new PrintWriter(client.getOutputStream(), true)) {
            client.setSoTimeout(2000);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                stats.request(words[0]);
                long sum = 0;
                for (int i = 1; i < words.length; i++) {
                    sum += Long.parseLong(words[i]);
                    stats.numberAdded();
                }
                out.println(sum);
            }
        } finally {
            served.countDown();
        }
        return null;
    }

    /** Waits for the connections that are still open. */
    void stop() throws IOException, InterruptedException {
        served.await(5, TimeUnit.SECONDS);
        socket.close();
        handlers.close();
    }
}
