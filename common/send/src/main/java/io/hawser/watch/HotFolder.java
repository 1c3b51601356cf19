package io.hawser.watch;

import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.client.TransferId;
import io.hawser.core.model.CompletionRule;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import io.hawser.send.ReasonDebouncer;
import io.hawser.send.SendDestination;
import io.hawser.send.WaitLevel;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends what appears in a directory, each version of each file once, and does with it what is asked for when it is delivered.
 *
 * <p>A version is recognised by its fingerprint. The journal says before each step that it is taken, so after a crash the next run knows where
 * this one was: what was begun is looked for among the client's transfers, what was sent is followed, what was delivered is moved or deleted.
 *
 * <p>Thread: main only.
 */
final class HotFolder {
    /** Transfers that are under way at once. */
    private static final int MAX_UNDER_WAY = 1000;

    private static final long POLL_MILLIS = 100;
    private static final long MIN_SCAN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long FULL_SCAN_NANOS = TimeUnit.SECONDS.toNanos(20);
    /** A scan takes at most this part of the time. */
    private static final int SCAN_SHARE = 10;

    /**
     * What the user asked for.
     *
     * @param to where the files go
     * @param stable how long a file must not have changed before it is taken
     * @param level when a file counts as delivered
     * @param then what is done with it then
     * @param once whether to end when all that is there has come to its end
     */
    record Order(SendDestination to, Duration stable, WaitLevel level, Aftermath then, boolean once) {}

    /** A file that is not taken yet, and since when it has been like that. */
    private record Candidate(String fingerprint, long sinceNanos) {}

    /** What became of a transfer: its failure, or null. */
    private record Ended(WatchedFile file, @Nullable Throwable failure) {}

    private final HawserClient client;
    private final WatchJournal journal;
    private final FolderScan scan;
    private final Order order;
    private final WatchReport report;
    private final DiskStorage storage = new DiskStorage();
    private final Map<String, Candidate> candidates = new HashMap<>();
    /** What is followed, by path; of a path the newest version. */
    private final Map<String, WatchedFile> underWay = new HashMap<>();

    private final BlockingQueue<Ended> spooled = new LinkedBlockingQueue<>();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    private long scannedNanos;
    private long scanNanos;
    private boolean everScanned;
    private final ReasonDebouncer away = new ReasonDebouncer();
    private String saidAway = "";

    /** @param client open and not started */
    HotFolder(HawserClient client, WatchJournal journal, FolderScan scan, Order order, WatchReport report) {
        this.client = client;
        this.journal = journal;
        this.scan = scan;
        this.order = order;
        this.report = report;
    }

    /**
     * Runs until the process ends or, if that was asked for, until everything has come to its end.
     *
     * @throws CommandException if the disk of the client or of the journal fails, or the directory is gone
     */
    ExitCode run() throws IOException, InterruptedException {
        recover();
        client.start(); // not before: what ends meanwhile would not be found
        try (FolderEvents events = new FolderEvents()) {
            while (true) {
                requireStorage();
                sayIfAway();
                takeSpooled();
                takeEnded();
                lookAround(events);
                takeStable();
                if (order.once && everScanned && candidates.isEmpty() && underWay.isEmpty()) {
                    return report.hasFailures() ? ExitCode.FAILED : ExitCode.OK;
                }
                Ended next = ended.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    ended(next);
                }
            }
        }
    }

    private void requireStorage() {
        client.failure().ifPresent(failure -> {
            throw new CommandException(ExitCode.STORAGE, Errors.sentence(failure));
        });
    }

    private void sayIfAway() {
        String now = away.of(client.connectionProblem(), System.nanoTime());
        if (!now.equals(saidAway)) {
            saidAway = now;
            report.note(now.isEmpty() ? "resumed" : "waiting: no session with the broker: " + now);
        }
    }

    // --- what an earlier run has left
    private void recover() throws IOException {
        for (WatchedFile known : journal.all()) {
            switch (known.step()) {
                case BEGUN -> recoverBegun(known);
                case SENT -> recoverSent(known);
                case REACHED -> finish(known);
                case FAILED -> journal.put(known.at(WatchedFile.Step.FORGOTTEN));
                case DONE, FORGOTTEN -> {}
            }
        }
    }

    /** The process ended while it was handed over: it was if there is a transfer of that very version. */
    private void recoverBegun(WatchedFile known) throws IOException {
        Path file = scan.root().resolve(known.path());
        Optional<SentTransfer> transfer = Aftermath.is(file, known.fingerprint(), storage)
                ? client.findPending(order.to.topic().name(), name(known), file)
                : Optional.empty();
        if (transfer.isPresent()) {
            follow(known, transfer.get());
        } else {
            journal.put(known.at(WatchedFile.Step.FORGOTTEN));
        }
    }

    /** What the client's journal does not have any more ended in the instant before that could be written down: it is sent again. */
    private void recoverSent(WatchedFile known) throws IOException {
        String key = known.key();
        Optional<SentTransfer> transfer = key == null ? Optional.empty() : client.find(TransferId.parse(key));
        if (transfer.isPresent()) {
            follow(known, transfer.get());
        } else {
            journal.put(known.at(WatchedFile.Step.FORGOTTEN));
        }
    }

    // --- looking
    private void lookAround(FolderEvents events) throws IOException {
        long now = System.nanoTime();
        boolean changed = events.take();
        long pause = Math.max(MIN_SCAN_NANOS, SCAN_SHARE * scanNanos);
        boolean due = !everScanned || now - scannedNanos > FULL_SCAN_NANOS;
        boolean wanted = changed || !candidates.isEmpty();
        if (!due && !(wanted && now - scannedNanos > pause)) {
            if (changed) {
                scannedNanos = Math.min(scannedNanos, now - FULL_SCAN_NANOS + pause); // soon
            }
            return;
        }
        FolderScan.Found found = scan.scan();
        if (!events.watch(found.directories())) {
            report.note(
                    "not all directories can be watched (fs.inotify.max_user_watches); changes are found by looking every "
                            + TimeUnit.NANOSECONDS.toSeconds(FULL_SCAN_NANOS) + " s");
        }
        found.problems().forEach(report::problem);
        if (due) {
            journal.all().stream()
                    .filter(known -> known.step() == WatchedFile.Step.REACHED)
                    .forEach(this::finish);
        }
        scannedNanos = System.nanoTime();
        scanNanos = scannedNanos - now;
        everScanned = true;
        note(found.files(), now);
    }

    private void note(Map<Path, FileFacts> files, long now) {
        Set<String> there = new HashSet<>();
        for (Map.Entry<Path, FileFacts> each : files.entrySet()) {
            String path = text(each.getKey());
            if (path == null) {
                report.problem(each.getKey() + ": its name is not UTF-8, and such names cannot be sent. Rename it");
                continue;
            }
            there.add(path);
            String fingerprint = each.getValue().fingerprint();
            Candidate known = candidates.get(path);
            if (isTaken(path, fingerprint)) {
                candidates.remove(path);
            } else if (known == null || !known.fingerprint.equals(fingerprint)) {
                candidates.put(path, new Candidate(fingerprint, now));
            }
        }
        candidates.keySet().retainAll(there);
        forget(there);
    }

    /** A name that is not UTF-8 reads as another one that may also be there. */
    private static @Nullable String text(Path path) {
        String text = path.toString();
        return Path.of(text).equals(path) ? text : null;
    }

    private boolean isTaken(String path, String fingerprint) {
        return journal.find(path)
                .filter(known -> known.fingerprint().equals(fingerprint))
                .isPresent();
    }

    /** What is done and not there any more need not be remembered. */
    private void forget(Set<String> there) {
        List<WatchedFile> gone = new ArrayList<>();
        for (WatchedFile known : journal.all()) {
            boolean over = known.step() == WatchedFile.Step.DONE || known.step() == WatchedFile.Step.FAILED;
            if (over && !there.contains(known.path())) {
                gone.add(known.at(WatchedFile.Step.FORGOTTEN));
            }
        }
        journal.putAll(gone);
    }

    // --- sending
    private void takeStable() throws IOException {
        long now = System.nanoTime();
        List<WatchedFile> stable = new ArrayList<>();
        for (Map.Entry<String, Candidate> each : candidates.entrySet()) {
            boolean longEnough = now - each.getValue().sinceNanos >= order.stable.toNanos();
            if (longEnough && underWay.size() + stable.size() < MAX_UNDER_WAY) {
                stable.add(WatchedFile.begun(each.getKey(), each.getValue().fingerprint));
            }
        }
        stable.removeIf(file -> {
            boolean unchanged = isUnchanged(file);
            if (!unchanged) {
                candidates.remove(file.path()); // the next scan finds what it is now
            }
            return !unchanged;
        });
        journal.putAll(stable);
        for (WatchedFile file : stable) {
            candidates.remove(file.path());
            send(file);
        }
    }

    private boolean isUnchanged(WatchedFile file) {
        try {
            return Aftermath.is(scan.root().resolve(file.path()), file.fingerprint(), storage);
        } catch (IOException e) {
            return false;
        }
    }

    private String name(WatchedFile file) {
        String directory = order.to.directory();
        return directory.isEmpty() ? file.path() : directory + "/" + file.path();
    }

    private void send(WatchedFile file) throws IOException {
        try {
            follow(file, client.send(order.to.topic().name(), scan.root().resolve(file.path()), name(file)));
            report.taken(file.path());
        } catch (HawserException e) {
            if (e.reason() == HawserException.Reason.NO_SPACE) { // the next scan finds the file again
                report.problem(file.path() + ": " + Errors.sentence(e) + ". It is tried again");
                journal.put(file.at(WatchedFile.Step.FORGOTTEN));
            } else {
                ended(new Ended(file, e));
            }
        }
    }

    private void follow(WatchedFile file, SentTransfer transfer) {
        WatchedFile sent = file.sentAs(transfer.id().toString());
        underWay.put(file.path(), sent);
        if (file.step() == WatchedFile.Step.BEGUN) {
            var unused = transfer.spooled().thenRun(() -> spooled.add(new Ended(sent, null)));
        }
        var unusedEnd = order.level
                .of(transfer, CompletionRule.ALL)
                .whenComplete((result, failure) -> ended.add(new Ended(sent, failure)));
    }

    /** The client's journal has them: from here on the transfer is found by its key. */
    private void takeSpooled() {
        List<WatchedFile> sent = new ArrayList<>();
        for (Ended each = spooled.poll(); each != null; each = spooled.poll()) {
            if (isLatest(each.file, WatchedFile.Step.BEGUN)) {
                sent.add(each.file.at(WatchedFile.Step.SENT));
            }
        }
        journal.putAll(sent);
    }

    private boolean isLatest(WatchedFile file, WatchedFile.Step step) {
        return journal.find(file.path())
                .filter(known -> known.fingerprint().equals(file.fingerprint()) && known.step() == step)
                .isPresent();
    }

    // --- the end
    private void takeEnded() throws IOException {
        for (Ended each = ended.poll(); each != null; each = ended.poll()) {
            ended(each);
        }
    }

    private void ended(Ended end) throws IOException {
        WatchedFile file = end.file;
        if (client.failure().isPresent()) {
            return; // the transfer may be in the journal, and the next run follows it
        }
        WatchedFile newest = underWay.get(file.path());
        if (newest != null && newest.fingerprint().equals(file.fingerprint())) {
            underWay.remove(file.path());
        }
        boolean remembered = journal.find(file.path())
                .filter(known -> known.fingerprint().equals(file.fingerprint()))
                .isPresent();
        Throwable failure = end.failure;
        if (failure instanceof HawserException why && isGone(why, file)) {
            journal.put(file.at(WatchedFile.Step.FORGOTTEN));
        } else if (failure instanceof HawserException why && why.reason() == HawserException.Reason.SOURCE_CHANGED) {
            report.note(file.path() + " changed while it was sent; its new version is sent");
            if (remembered) {
                journal.put(file.at(WatchedFile.Step.FORGOTTEN));
            }
        } else if (failure != null) {
            report.failed(file.path(), Errors.sentence(failure));
            if (remembered) {
                journal.put(file.at(WatchedFile.Step.FAILED));
            }
        } else {
            if (remembered) {
                journal.put(file.at(WatchedFile.Step.REACHED));
            }
            finish(file);
        }
    }

    /** Somebody took it away before it was read. */
    private boolean isGone(HawserException why, WatchedFile file) {
        return why.reason() == HawserException.Reason.NOT_FOUND && !isUnchanged(file);
    }

    private void finish(WatchedFile file) {
        String done;
        try {
            Path below = Path.of(file.path());
            done = order.then.apply(scan.root().resolve(below), below, file.fingerprint(), storage);
        } catch (IOException e) {
            report.problem(file.path() + ": delivered, but it cannot be moved or deleted: " + Errors.sentence(e)
                    + ". It is tried again");
            return;
        }
        report.reached(file.path(), done);
        if (isLatest(file, WatchedFile.Step.REACHED)) {
            journal.put(file.at(WatchedFile.Step.DONE));
        }
    }
}
