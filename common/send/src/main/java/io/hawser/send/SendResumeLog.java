package io.hawser.send;

import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.client.StateDirectory;
import io.hawser.client.TransferId;
import io.hawser.core.integrity.Sha256;
import io.hawser.core.model.CompletionRule;
import io.hawser.store.storage.FormatTooNewException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records which files a hawser send run has sent, so that the same command resumes after an interruption. A file is recognized
 * by its fingerprint; one that has changed is sent again. The journal beside it has what is on its way; what it no longer has
 * is finished, and only this memory tells that; so it is kept up to date also while other commands use the journal.
 *
 * <p>The file has one line of JSON for each event ({@link SendResumeEntry}) and is not forced: it survives the death of the process; after a power
 * cut a file may be sent twice. Interrupted runs are forgotten after {@link #KEPT}.
 *
 * <p>Thread: any.
 */
final class SendResumeLog implements AutoCloseable {
    /** How long an interrupted run can be continued, from its last event. */
    static final Duration KEPT = Duration.ofDays(7);

    private static final int ID_DIGITS = 32;

    private final Path file;
    private final Map<Source, SendResumeEntry> latest = new HashMap<>();
    private final Writer writer;
    private final List<SendResumeLog> others = new ArrayList<>();
    private @Nullable IOException failure;

    /** Where a file or directory is, and the name that it is sent under. */
    private record Source(String path, String name) {}

    /**
     * What is remembered of a file that has not changed since.
     *
     * @param reached the highest level that was seen, or null
     */
    record Remembered(TransferId id, @Nullable WaitLevel reached) {
        boolean isAtLeast(WaitLevel wait) {
            return reached != null && reached.compareTo(wait) >= 0;
        }
    }

    private SendResumeLog(Path file) throws IOException {
        this.file = file;
        read();
        if (Files.notExists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        writer = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }

    /**
     * The memory of the command that sends {@code paths} to a destination. The slot of the state directory must be this process's.
     *
     * @throws FormatTooNewException if a later version has written it; nothing is changed
     */
    static SendResumeLog open(Path slot, SendDestination to, List<Path> paths) throws IOException {
        Path directory = directory(slot);
        removeOld(directory);
        return new SendResumeLog(directory.resolve(id(to, paths)));
    }

    private static Path directory(Path slot) throws IOException {
        return Files.createDirectories(
                slot.resolve(StateDirectory.SENDS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** Whether a run of that command was interrupted in that slot. */
    static boolean isIn(Path slot, SendDestination to, List<Path> paths) {
        return Files.exists(slot.resolve(StateDirectory.SENDS).resolve(id(to, paths)));
    }

    private static void removeOld(Path directory) throws IOException {
        Instant oldest = Instant.now().minus(KEPT);
        for (Path file : list(directory)) {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** Watches transfers of other interrupted commands, which continue during this one, so that their memories learn of it. */
    void watchOthers(HawserClient client) throws IOException {
        for (Path other : list(file.resolveSibling(""))) {
            if (!other.equals(file)) {
                others.add(watched(other, client));
            }
        }
    }

    /** Keeps the memory of all interrupted runs in the slot of {@code client} up to date, until each is closed. */
    static List<SendResumeLog> watchAll(HawserClient client) throws IOException {
        List<SendResumeLog> watched = new ArrayList<>();
        Path directory = directory(client.slot());
        removeOld(directory);
        for (Path file : list(directory)) {
            watched.add(watched(file, client));
        }
        return watched;
    }

    private static SendResumeLog watched(Path file, HawserClient client) throws IOException {
        SendResumeLog resumeLog = new SendResumeLog(file);
        Map<TransferId, SentTransfer> unused = resumeLog.watch(client);
        return resumeLog;
    }

    private static String id(SendDestination to, List<Path> paths) {
        StringBuilder command = new StringBuilder(to.toString());
        paths.forEach(path -> command.append('\0').append(path.toAbsolutePath().normalize()));
        byte[] digest = Sha256.of(command.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest).substring(0, ID_DIGITS);
    }

    private void read() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        // Not as lines of text: a character that a full disk has cut in two is no reason to refuse all others.
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
            SendResumeEntry event = parse(line);
            if (event != null) {
                latest.put(new Source(event.path(), event.name()), event);
            }
        }
    }

    private @Nullable SendResumeEntry parse(String line) throws FormatTooNewException {
        try {
            return SendResumeEntry.parse(line);
        } catch (FormatTooNewException e) {
            throw new FormatTooNewException(
                    file + " has " + e.getMessage()
                            + ". Use the newer version to complete what was interrupted, or delete the"
                            + " file: then its command sends everything again. Nothing was changed.",
                    e);
        }
    }

    /** What an interrupted run has done with this version of the file, unless that failed. */
    synchronized Optional<Remembered> find(SendPlan.Entry entry, String fingerprint) {
        SendResumeEntry event = latest.get(source(entry));
        return event == null || event.failed() || !event.fingerprint().equals(fingerprint)
                ? Optional.empty()
                : Optional.of(new Remembered(TransferId.parse(event.key()), event.reached()));
    }

    /** A transfer was begun; how far it gets is written down from here on. */
    synchronized void begun(HawserClient client, SendPlan.Entry entry, String fingerprint, SentTransfer transfer) {
        Source source = source(entry);
        add(SendResumeEntry.of(
                source.path, source.name, fingerprint, transfer.id().toString(), null));
        follow(client, source, transfer);
    }

    /** What is on its way of that which was begun earlier; how far it gets is written down from here on. */
    Map<TransferId, SentTransfer> watch(HawserClient client) throws IOException {
        Map<TransferId, SentTransfer> onTheirWay = new HashMap<>();
        for (SendResumeEntry event : events()) {
            if (event.reached() != WaitLevel.DELIVERED && !event.failed()) {
                client.find(TransferId.parse(event.key())).ifPresent(transfer -> {
                    onTheirWay.put(transfer.id(), transfer);
                    follow(client, new Source(event.path(), event.name()), transfer);
                });
            }
        }
        return onTheirWay;
    }

    /** The names of what had failed when this memory was read, or has since. */
    synchronized List<String> failedBefore() {
        return latest.values().stream()
                .filter(SendResumeEntry::failed)
                .map(SendResumeEntry::name)
                .sorted()
                .toList();
    }

    private synchronized List<SendResumeEntry> events() {
        return List.copyOf(latest.values());
    }

    private void follow(HawserClient client, Source source, SentTransfer transfer) {
        for (WaitLevel level : List.of(WaitLevel.BROKERED, WaitLevel.LANDED, WaitLevel.DELIVERED)) {
            var unused = level.of(transfer, CompletionRule.ALL).thenRun(() -> reached(source, transfer.id(), level));
        }
        var unusedRefusal = transfer.brokered().exceptionally(failure -> {
            if (client.failure().isEmpty()) { // else the journal may have it, and resumes it
                failed(source, transfer.id());
            }
            return transfer.id();
        });
        var unusedFailure = transfer.delivered().exceptionally(failure -> {
            if (failure instanceof HawserException said && said.reason() == HawserException.Reason.NOT_DELIVERED) {
                failed(source, transfer.id());
            }
            return List.of();
        });
    }

    private synchronized void failed(Source source, TransferId id) {
        SendResumeEntry event = latest.get(source);
        if (event != null && event.key().equals(id.toString()) && !event.failed()) {
            add(event.asFailed());
        }
    }

    private synchronized void reached(Source source, TransferId id, WaitLevel level) {
        SendResumeEntry event = latest.get(source);
        if (event != null
                && event.key().equals(id.toString())
                && (event.reached() == null || event.reached().compareTo(level) < 0)) {
            add(event.at(level));
        }
    }

    private void add(SendResumeEntry event) {
        latest.put(new Source(event.path(), event.name()), event);
        try {
            writer.write('\n' + event.line()); // the last line may have been cut off
            writer.flush();
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Throws if something could not be written down. */
    synchronized void check() throws IOException {
        if (failure != null) {
            throw new IOException("cannot write " + file + ": " + failure.getMessage(), failure);
        }
    }

    private static Source source(SendPlan.Entry entry) {
        return new Source(entry.path().toAbsolutePath().normalize().toString(), entry.name());
    }

    /** Forgets a command that is complete. */
    synchronized void forget() throws IOException {
        latest.clear();
        Files.deleteIfExists(file);
    }

    @Override
    public synchronized void close() {
        others.forEach(SendResumeLog::close);
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
