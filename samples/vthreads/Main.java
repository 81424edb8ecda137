// race: instance vthreads.Stats.numbersAdded
package vthreads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts the server and ten clients, which are virtual threads as well. */
public final class Main {
    private static final int CLIENTS = 10;
    private static final int REQUESTS = 40;
    private static final int NUMBERS = 200;

    private Main() {}

    public static void main(String[] args) throws Exception {
        Server server = new Server(CLIENTS);
        long total = 0;
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            int port = server.port();
            List<Future<Long>> answers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "client-" + i;
                answers.add(clients.submit(() -> ask(port, name)));
            }
            for (Future<Long> answer : answers) {
                total += answer.get();
            }
        }
        server.stop();
        System.out.println(server.stats.requests() + " requests, sum of all answers " + total);
        System.out.println("numbers added: " + server.stats.numbersAdded() + " of " + CLIENTS * REQUESTS * NUMBERS);
        System.out.println("ok");
    }

    private static long ask(int port, String name) throws IOException {
        StringBuilder line = new StringBuilder(name);
        for (int n = 1; n <= NUMBERS; n++) {
            line.append(' ').append(n);
        }
        long total = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true)) {
            socket.setSoTimeout(2000);
            for (int i = 0; i < REQUESTS; i++) {
                out.println(line);
                total += Long.parseLong(in.readLine());
            }
        }
        return total;
    }
}
