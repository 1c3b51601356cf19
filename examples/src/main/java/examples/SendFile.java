package examples;

import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import java.io.IOException;
import java.nio.file.Path;

/** Sends a file and waits for its receipt. Arguments: the broker (host:port), a topic, the file. */
public final class SendFile {
    private SendFile() {}

    public static void main(String[] arguments) throws IOException {
        // tutorial begin
        try (HawserClient client = HawserClient.connect(arguments[0])) { // 127.0.0.1:7400
            SentTransfer transfer = client.send(arguments[1], Path.of(arguments[2]));
            transfer.brokered().join(); // durable at the broker: this program is no longer needed
            transfer.delivered().join(); // published at every far end
        }
        // tutorial end
        System.out.println("delivered " + arguments[2]);
    }
}
