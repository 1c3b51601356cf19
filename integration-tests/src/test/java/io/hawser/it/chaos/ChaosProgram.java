package io.hawser.it.chaos;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A program that sends what its standard input says, and is killed now and then: {@code send PATH VERSION SEED SIZE} is answered {@code
 * spooled PATH VERSION} as soon as that holds, {@code open} by {@code open NUMBER}: what is accepted and not delivered, in this life or an earlier one. What a kill has
 * interrupted before it was spooled was promised to nobody, and nobody has its bytes any more.
 */
final class ChaosProgram {
    private ChaosProgram() {}

    /** @param arguments the broker, or several with commas, and the directory of the journal */
    public static void main(String[] arguments) throws Exception {
        List<String> brokers = List.of(arguments[0].split(","));
        ClientOptions options =
                ClientOptions.of(brokers.get(0)).withBrokers(brokers).withState(Path.of(arguments[1]));
        try (HawserClient client = HawserClient.connect(options);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("send")) {
                    send(client, words);
                } else {
                    say("open "
                            + client.pending().stream()
                                    .filter(transfer -> transfer.spooled().isDone())
                                    .count());
                }
            }
        }
    }

    private static void send(HawserClient client, String[] words) throws Exception {
        byte[] content = Content.of(new SplittableRandom(Long.parseLong(words[3])), Integer.parseInt(words[4]));
        SentTransfer transfer =
                client.send(Deployment.TOPIC, URLDecoder.decode(words[1], StandardCharsets.UTF_8), content);
        var unused = transfer.spooled().thenAccept(key -> say("spooled " + words[1] + " " + words[2]));
        var unused2 = transfer.delivered().exceptionally(failure -> {
            say("failed " + words[1] + " " + words[2] + " "
                    + URLEncoder.encode(failure.toString(), StandardCharsets.UTF_8));
            return null;
        });
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
