package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Works on a thread of its own until it is stopped; finishes what it has begun. */
abstract class Publisher {
    /** Paths that are written again and again. */
    private static final int OVERWRITTEN = 3;

    private static final String OFTEN = "/o-";
    private static final int DISTINCT_BYTES = 16;
    private static final int ODD = 5;
    /** What names end with now and then. */
    private static final List<String> ODDITIES = List.of(
            " with blanks", "-\u00e4\u65e5\u672c", "-100%", "-#1", "-a+b&c=d", "-(~)", "-;x", "-\ud83d\ude00", ".");

    final String name;
    final Settings settings;
    final Ledger ledger;
    final Violations violations;
    final Pulse pulse;
    final SplittableRandom random;
    private final int pace;
    private final Thread thread;
    volatile String doing = "nothing";
    private volatile boolean stopping;
    private int serial;

    /** @param pace mean pause between two pieces of work, ms */
    Publisher(String name, int pace, RunParts run, SplittableRandom random) {
        this.name = name;
        this.pace = pace;
        settings = run.settings();
        ledger = run.ledger();
        violations = run.violations();
        pulse = run.pulse();
        this.random = random;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(violations::ended);
    }

    /** One piece of work. */
    abstract void once() throws Exception;

    /** Whether all that it has begun is known to have ended well. */
    boolean isDone() {
        return !thread.isAlive();
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopping = true;
    }

    BooleanSupplier stopping() {
        return () -> stopping;
    }

    /** The next name to write to: mostly a new one, or one of those that are written again and again. */
    String nextPath() {
        return random.nextInt(3) == 0
                ? name + OFTEN + random.nextInt(OVERWRITTEN)
                : name + "/" + Publications.ONCE + serial++ + oddity();
    }

    private String oddity() {
        return canOddNames() && random.nextInt(ODD) == 0 ? ODDITIES.get(random.nextInt(ODDITIES.size())) : "";
    }

    /** Whether any name can be given to what it works with. */
    boolean canOddNames() {
        return true;
    }

    /** What it is at just now, for a report about what does not end. */
    String standing() {
        return name + " is at " + doing
                + (thread.isAlive() ? ", at " + List.of(thread.getStackTrace()) : ", and has stopped");
    }

    /** Content for that path. Each version of one that is overwritten has bytes of its own, so that it can be told from the others. */
    byte[] nextContent(String path) {
        byte[] content = Content.next(random);
        boolean alike = content.length < DISTINCT_BYTES && path.contains(OFTEN);
        return alike ? Content.of(random, DISTINCT_BYTES) : content;
    }

    private void run() {
        try {
            while (!stopping) {
                once();
                Thread.sleep(random.nextInt(2 * pace + 1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            violations.add("void", name + " failed: " + e);
        }
    }
}
