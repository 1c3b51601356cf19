package examples;

import io.hawser.client.HawserClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends a request and prints the reply. Arguments: the broker (host:port), a topic, a name. */
public final class Ask {
    private Ask() {}

    public static void main(String[] arguments) throws IOException {
        byte[] name = arguments[2].getBytes(StandardCharsets.UTF_8);
        try (HawserClient client = HawserClient.connect(arguments[0])) {
            byte[] reply = client.request(arguments[1], "greet", name, Duration.ofSeconds(30))
                    .join();
            System.out.println(new String(reply, StandardCharsets.UTF_8));
        }
    }
}
