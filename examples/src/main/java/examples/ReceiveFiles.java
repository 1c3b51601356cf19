package examples;

import io.hawser.client.HawserClient;
import io.hawser.client.ReceivedObject;
import io.hawser.client.Receiver;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Prints the name and size of each file of a topic. Arguments: the broker (host:port), a topic, a subscription, how many files. */
public final class ReceiveFiles {
    private ReceiveFiles() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        CountDownLatch missing = new CountDownLatch(Integer.parseInt(arguments[3]));
        try (HawserClient client = HawserClient.connect(arguments[0]);
                Receiver receiver = client.receive(arguments[1], arguments[2], object -> {
                    handle(object);
                    missing.countDown();
                })) {
            receiver.subscribed().join(); // from here on the broker keeps what is sent to the topic
            System.out.println("subscribed");
            missing.await();
        }
    }

    /** Runs on the subscription's own thread, so it may block. */
    private static void handle(ReceivedObject object) {
        try {
            System.out.println(object.name() + ": " + object.bytes().length + " bytes");
            object.ack(); // until here the broker sends it again after a crash
        } catch (IOException e) {
            object.later(e.getMessage()); // it comes again after a pause
        }
    }
}
