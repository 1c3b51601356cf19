package io.hawser.ops.cli;

import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code hawser status --watch}: reads the page once a second and draws it, until {@code q}.
 *
 * <p>Thread: main only.
 */
final class StatusWatch {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long KEY_MILLIS = 50;

    private final AdminClient client;
    private final Map<String, String> query;
    private final TransferRates rates = new TransferRates();
    private final StatusScreen picture;
    private TransferPage page;
    private String problem = "";

    /** @throws CommandException if the node does not answer */
    StatusWatch(AdminClient client, Map<String, String> query, TransferFilter filter) throws IOException {
        this.client = client;
        this.query = query;
        this.picture = new StatusScreen(client.address(), filter, rates);
        this.page = read();
    }

    private TransferPage read() throws IOException {
        TransferPage fresh = Json.read(client.get("/transfers", query), TransferPage.class);
        rates.add(System.nanoTime(), fresh.transfers());
        return fresh;
    }

    void run(FullScreen screen) throws IOException {
        while (true) {
            screen.draw(picture.lines(page, problem, TerminalDevice.size()));
            if (quits(screen)) {
                return;
            }
            try {
                page = read();
                problem = "";
            } catch (CommandException e) {
                problem = String.valueOf(e.getMessage()); // a node that restarts comes back
            }
        }
    }

    /** Waits until it is time to read again; true if that is not wanted any more. */
    private static boolean quits(FullScreen screen) throws IOException {
        long until = System.nanoTime() + INTERVAL_NANOS;
        while (System.nanoTime() < until) {
            int key = screen.key();
            if (key == 'q' || key == 'Q') {
                return true;
            }
            try {
                Thread.sleep(KEY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        }
        return false;
    }
}
