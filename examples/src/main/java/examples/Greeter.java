package examples;

import io.hawser.client.HawserClient;
import io.hawser.client.ReceivedObject;
import io.hawser.client.Receiver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Answers requests to a topic. Arguments: the broker (host:port), a topic, how many requests. */
public final class Greeter {
    private Greeter() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        CountDownLatch missing = new CountDownLatch(Integer.parseInt(arguments[2]));
        try (HawserClient client = HawserClient.connect(arguments[0]);
                Receiver receiver = client.receive(arguments[1], "greeter", request -> {
                    answer(request);
                    missing.countDown();
                })) {
            receiver.subscribed().join();
            System.out.println("subscribed");
            missing.await();
        }
    }

    private static void answer(ReceivedObject request) {
        try {
            String name = new String(request.bytes(), StandardCharsets.UTF_8);
            byte[] reply = ("hello " + name).getBytes(StandardCharsets.UTF_8);
            request.reply(reply).brokered().join(); // the program may end when the broker has the reply
            request.ack();
        } catch (IOException e) {
            request.later(e.getMessage());
        }
    }
}
