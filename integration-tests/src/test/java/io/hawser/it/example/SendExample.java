package io.hawser.it.example;

import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import java.io.IOException;
import java.nio.file.Path;

/** The example of docs/tutorial-java.md, which has the lines between the markers word for word. */
public final class SendExample {
    private SendExample() {}

    /** Sends a file. The arguments: where the broker listens, the file. */
    public static void main(String[] arguments) throws IOException {
        // tutorial begin
        try (HawserClient client = HawserClient.connect(arguments[0])) { // 127.0.0.1:7400
            SentTransfer transfer = client.send("site-b", Path.of(arguments[1]));
            transfer.brokered().join(); // durable at the broker: this program is no longer needed
            transfer.delivered().join(); // published at every far end
        }
        // tutorial end
    }
}
