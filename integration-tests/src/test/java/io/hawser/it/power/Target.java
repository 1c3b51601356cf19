package io.hawser.it.power;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The directory where agent-b publishes, and a consumer that reads each file when it becomes visible and takes half of them away, durably.
 * What it has taken may never come again; what it has left may never go.
 *
 * <p>Thread: its own looks; the calls are for any.
 */
final class Target implements AutoCloseable {
    /** How a file was taken away. */
    private enum Taken {
        /** The power failed meanwhile: it may be there again. */
        MAYBE,
        /** The removal was forced. */
        YES
    }

    private static final int PAUSE_MILLIS = 40;

    private final Path directory;
    private final Ledger ledger;
    private final Violations violations;
    private final Set<String> whole = new HashSet<>();
    private final Map<String, Taken> taken = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private volatile boolean closed;
    private volatile boolean dying;
    private boolean away;
    private boolean takesNothing;

    Target(Path directory, Ledger ledger, Violations violations) throws IOException {
        this.directory = directory;
        this.ledger = ledger;
        this.violations = violations;
        Files.createDirectories(directory);
        Thread thread = new Thread(this::run, "consumer");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on read errors are no violation. */
    void powerMayFail() {
        dying = true;
    }

    /** After the return no file is open here. */
    synchronized void powerFails() {
        away = true;
        whole.clear();
    }

    /** The disk is back; everything is read again. */
    synchronized void powerIsBack() {
        away = false;
        dying = false;
    }

    /** What was acknowledged and is neither there nor taken. */
    synchronized List<String> missing() {
        look();
        return ledger.acknowledged().stream()
                .filter(sent -> !taken.containsKey(sent.path) && !whole.contains(sent.path))
                .map(sent -> sent.path + " (" + sent.sizeBytes + " bytes, of round " + sent.round
                        + (seen.contains(sent.path) ? ", was there before)" : ")"))
                .toList();
    }

    /** Takes away what older rounds left. */
    synchronized void clear(int upToRound) {
        for (String name : List.copyOf(whole)) {
            ledger.newest(name).filter(sent -> sent.round <= upToRound).ifPresent(sent -> take(name, true));
        }
    }

    /** How many objects were seen, whole. */
    synchronized int published() {
        return seen.size();
    }

    private void run() {
        while (!closed) {
            look();
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void look() {
        if (away || closed) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!name.startsWith(".hawser") && !whole.contains(name)) {
                    look(file, name);
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            failed("the target cannot be listed", e);
        }
    }

    private void look(Path file, String name) {
        Ledger.Version sent = ledger.newest(name).orElse(null);
        String sha256;
        try {
            sha256 = Ledger.sha256(Files.readAllBytes(file));
        } catch (IOException e) {
            failed(name + " cannot be read", e);
            return;
        }
        whole.add(name); // so that a violation is reported once
        if (sent == null) {
            violations.add("corrupt", name + " was never sent");
        } else if (!sha256.equals(sent.sha256)) {
            violations.add("corrupt", name + " is visible with other bytes than those that were sent");
        } else if (taken.get(name) == Taken.YES) {
            violations.add("duplicated", name + " came again after it was taken");
        } else {
            seen.add(name);
            if (sha256.charAt(0) >= '8') {
                take(name, false);
            }
        }
    }

    private void take(String name, boolean always) {
        if (takesNothing && !always) {
            return;
        }
        taken.put(name, Taken.MAYBE);
        try {
            Files.deleteIfExists(directory.resolve(name));
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
            if (!dying) { // on an XFS that was shut down meanwhile, forcing a directory succeeds and does nothing
                taken.put(name, Taken.YES);
            }
            whole.remove(name);
        } catch (IOException e) {
            failed(name + " cannot be taken", e);
        }
    }

    /** From now on files are left where they are: for cuts whose writers alone shall force this file system. */
    synchronized void takeNothing(boolean nothing) {
        takesNothing = nothing;
    }

    private void failed(String what, Exception e) {
        if (!dying) {
            violations.add("target", what + ": " + e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
