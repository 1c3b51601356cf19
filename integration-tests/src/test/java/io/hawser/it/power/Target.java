package io.hawser.it.power;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where agent-b publishes, as a consumer sees it who reads each file when it becomes visible and takes half of them away, durably. What he
 * has taken may never come again; what he has left may never go.
 *
 * <p>Thread: its own looks; the calls are for any.
 */
final class Target implements AutoCloseable {
    private static final int PAUSE_MILLIS = 40;

    private final Path directory;
    private final Ledger ledger;
    private final Violations violations;
    private final Set<String> whole = new HashSet<>();
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

    /** From now on what cannot be read says nothing. */
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

    /** What was promised and is not there. */
    synchronized List<String> missing() {
        look();
        return ledger.promised().stream()
                .filter(entry -> !whole.contains(entry.name))
                .map(entry -> entry.name + " (" + entry.sizeBytes + " bytes, of round " + entry.round
                        + (entry.seen ? ", was there before)" : ")"))
                .toList();
    }

    /** Takes away what older rounds left. */
    synchronized void clear(int upToRound) {
        for (String name : List.copyOf(whole)) {
            ledger.find(name).filter(entry -> entry.round <= upToRound).ifPresent(entry -> take(entry, true));
        }
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
        Ledger.Entry entry = ledger.find(name).orElse(null);
        String sha256;
        try {
            sha256 = Ledger.sha256(Files.readAllBytes(file));
        } catch (IOException e) {
            failed(name + " cannot be read", e);
            return;
        }
        if (entry == null) {
            violations.add("corrupt", name + " was sent by nobody");
        } else if (!sha256.equals(entry.sha256)) {
            violations.add("corrupt", name + " is visible with other bytes than those that were sent");
        } else if (entry.taken == Ledger.Taken.YES) {
            violations.add("duplicated", name + " came again after it was taken");
        } else {
            ledger.seen(entry);
            whole.add(name);
            if (entry.sha256.charAt(0) >= '8') {
                take(entry, false);
            }
            return;
        }
        whole.add(name); // told once
    }

    private void take(Ledger.Entry entry, boolean always) {
        if (takesNothing && !always) {
            return;
        }
        ledger.mark(entry, Ledger.Taken.MAYBE);
        try {
            Files.deleteIfExists(directory.resolve(entry.name));
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
            if (!dying) { // a directory of an XFS that was shut down meanwhile is forced without complaint, and for
                // nothing
                ledger.mark(entry, Ledger.Taken.YES);
            }
            whole.remove(entry.name);
        } catch (IOException e) {
            failed(entry.name + " cannot be taken", e);
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
