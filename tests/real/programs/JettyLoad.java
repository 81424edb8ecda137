import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.server.handler.HandlerCollection;
import org.eclipse.jetty.server.handler.StatisticsHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty on loopback: clients of several threads post texts and get them back changed. */
public class JettyLoad {
    /** Answers with the text of the request in capitals and the number of the request. */
    static final class Capitals extends AbstractHandler {
        final AtomicLong served = new AtomicLong();

        @Override
        public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            byte[] body = all(request.getInputStream());
            base.setHandled(true);
            response.setStatus("/missing".equals(target) ? 404 : 200);
            response.setContentType("text/plain;charset=utf-8");
            response.setHeader("X-Count", Long.toString(served.incrementAndGet()));
            String text = new String(body, StandardCharsets.UTF_8).toUpperCase();
            response.getOutputStream().write((target + " " + text).getBytes(StandardCharsets.UTF_8));
        }
    }

    static byte[] all(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[512];
        for (int n; (n = in.read(buffer)) >= 0;) out.write(buffer, 0, n);
        return out.toByteArray();
    }

    static void call(int port, String path, String text, int status) throws IOException {
        HttpURLConnection c = (HttpURLConnection) new URL("http://127.0.0.1:" + port + path).openConnection();
        if (text.length() > 0) {
            c.setDoOutput(true);
            c.setRequestMethod("POST");
            c.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }
        Load.check(c.getResponseCode() == status, "status " + c.getResponseCode());
        try (InputStream in = status < 400 ? c.getInputStream() : c.getErrorStream()) {
            String answer = new String(all(in), StandardCharsets.UTF_8);
            Load.check(answer.equals(path + " " + text.toUpperCase()), "another answer than asked for: " + answer);
        }
        Load.check(Long.parseLong(c.getHeaderField("X-Count")) > 0, "no count");
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server(new QueuedThreadPool(16, 4));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(0);
        server.addConnector(connector);
        Capitals capitals = new Capitals();
        StatisticsHandler statistics = new StatisticsHandler();
        statistics.setHandler(capitals);
        HandlerCollection handlers = new HandlerCollection();
        handlers.addHandler(statistics);
        server.setHandler(handlers);
        server.start();
        int port = connector.getLocalPort();
        AtomicLong asked = new AtomicLong();
        Load load = new Load(args);
        for (int i = 0; i < 6; i++) {
            int me = i;
            load.add("client-" + i, turn -> {
                boolean missing = turn % 10 == 9;
                StringBuilder text = new StringBuilder();
                if (turn % 3 != 0) for (int k = 0; k < 1 + turn % 40; k++) text.append("word ").append(me).append(' ');
                call(port, missing ? "/missing" : "/client" + me, text.toString(), missing ? 404 : 200);
                asked.incrementAndGet();
            });
        }
        load.finish();
        Load.check(capitals.served.get() == asked.get(), "requests were lost");
        Load.check(statistics.getRequests() == asked.get(), "the statistics differ");
        server.stop();
        server.join();
        System.out.println("ok");
    }
}
