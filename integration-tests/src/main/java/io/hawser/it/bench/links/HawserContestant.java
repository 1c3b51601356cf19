package io.hawser.it.bench.links;

import java.io.IOException;
import java.util.Locale;

/**
 * Measures Hawser in a race: transfers through agent-a or the Java API, over warmed-up sessions.
 *
 * <p>Thread: one.
 */
final class HawserContestant extends Contestant {
    private final LinkClient client;
    private final String name;

    /** @param name of the files; no other work of these nodes may have it */
    HawserContestant(Race race, Wan wan, LinkClient client, String name) {
        super("Hawser", race, wan);
        this.client = client;
        this.name = name;
    }

    /**
     * Has it done before it counts.
     *
     * @param pauseMillis behind each
     */
    HawserContestant warmUp(int times, long pauseMillis) throws IOException, InterruptedException {
        if (race().kind() == Race.Kind.DOWNLOAD) {
            double unused = client.run("upload " + name + " " + race().bytes() + " 0");
        }
        for (int i = 0; i < times; i++) {
            double unused = client.run(order(-1 - i));
            Thread.sleep(pauseMillis);
        }
        return this;
    }

    @Override
    double once(int run) throws IOException {
        return client.run(order(run));
    }

    private String order(int run) {
        long bytes = race().bytes();
        return switch (race().kind()) {
            case UPLOAD -> String.format(Locale.ROOT, "upload %s-%d %d %d", name, run, bytes, run);
            case DOWNLOAD -> String.format(Locale.ROOT, "download %s %d 0", name, bytes);
            case SMALL ->
                String.format(Locale.ROOT, "small %s-%d %d %d", name, run, bytes / Race.SMALL_BYTES, Race.SMALL_BYTES);
        };
    }
}
