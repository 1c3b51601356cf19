package io.hawser.agenta.sftp.session;

import io.hawser.agenta.front.CustodyFollower;
import io.hawser.agenta.namespace.AdvertisedSizes;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.agenta.upload.PatchBaseFinder;
import io.hawser.agenta.upload.RandomAccessUpload;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.Upload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written. Where its client has not cut what is there, the first write says what it is: a file from its beginning on, which
 * is complete when the client cuts it there or nothing longer was there (scp does so); an upload that broke off; or a part of a file that
 * is there.
 *
 * <p>Thread: the loop.
 */
final class OpenUpload implements OpenFile {
    private static final int USUAL_MODE = 0644;
    /** What OpenSSH's server takes from the mode that a client opens a file with. */
    private static final int UMASK = 022;

    private final ClientContext client;
    private final FtpPath path;
    private final long beganNanos = System.nanoTime();
    private final List<Runnable> afterEnd = new ArrayList<>();
    private final List<Runnable> afterSearch = new ArrayList<>();
    private @Nullable RandomAccessUpload upload;
    private @Nullable PatchBaseFinder search;
    private @Nullable ExistingFile existing;
    private @Nullable RequestFailure refused;
    private OptionalInt mode = OptionalInt.empty();
    private OptionalLong modifiedSeconds = OptionalLong.empty();
    private long endBytes;
    /** Whether the client has said that nothing follows {@link #endBytes}. */
    private boolean isCut;

    /** Whether the client has cut what was there to nothing before it wrote. */
    private boolean startsEmpty;

    private boolean isClosing;
    private boolean isOver;

    /** A file of {@code sizeBytes} that is opened, of which nothing is written yet. */
    OpenUpload(ClientContext client, FtpPath path, long sizeBytes) {
        this.client = client;
        this.path = path;
        this.endBytes = sizeBytes;
    }

    /** What is at its path may be replaced or continued: the first write says which. */
    static OpenUpload undecided(ClientContext client, FtpPath path) {
        OpenUpload file = new OpenUpload(client, path, 0);
        file.existing = ExistingFile.at(client, path);
        return file;
    }

    /** The attributes of OPEN; a mode that files have anyway is not set. */
    void openedWith(FileAttributes attributes) {
        attributes.mode().ifPresent(asked -> {
            int wanted = asked & ~UMASK;
            mode = wanted == USUAL_MODE ? OptionalInt.empty() : OptionalInt.of(wanted);
        });
    }

    /** Its bytes are {@code begun}. */
    void begin(Upload begun, RandomAccessUpload.Range range, UploadObstacleCheck target) {
        client.notes().uploadBegan(begun.key());
        upload = new RandomAccessUpload(client.uploads(), begun, range, target);
    }

    @Override
    public FtpPath path() {
        return path;
    }

    /** Whether its client has closed it, and it is not known yet what came of it. */
    boolean isClosing() {
        return isClosing && !isOver;
    }

    /** Runs {@code action} when the upload has ended, if it is ending; otherwise now. */
    void whenEnded(Runnable action) {
        if (isClosing()) {
            afterEnd.add(action);
        } else {
            action.run();
        }
    }

    /** FSTAT: {@code told} gets what is there by now, with what was there before where that is not cut; perhaps later. */
    void stat(Consumer<FileAttributes> told, Consumer<RequestFailure> unknown) {
        ExistingFile there = existing;
        if (there == null || isCut || startsEmpty) {
            told.accept(attributes(endBytes));
            return;
        }
        there.whenKnown(known -> known.failure()
                .ifPresentOrElse(
                        unknown,
                        () -> told.accept(
                                attributes(known.isThere() ? Math.max(known.sizeBytes(), endBytes) : endBytes))));
    }

    private FileAttributes attributes(long sizeBytes) {
        long now = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        return FileAttributes.ofFile(sizeBytes, mode.orElse(USUAL_MODE), modifiedSeconds.orElse(now));
    }

    /** FSETSTAT: what is set is set when the upload is complete. */
    Optional<RequestFailure> set(FileAttributes attributes) {
        if (attributes.hasOwner()) {
            return Optional.of(FileSetting.OWNERS_ARE_NOT_KEPT);
        }
        if (attributes.size().isPresent() && !cuts(attributes.size().getAsLong())) {
            return Optional.of(FileSetting.SIZE_IS_NOT_SET);
        }
        if (attributes.mode().isPresent()) {
            mode = attributes.mode();
        }
        if (attributes.modifiedSeconds().isPresent()) {
            modifiedSeconds = attributes.modifiedSeconds();
        }
        return Optional.empty();
    }

    /** Whether the file can end at {@code size}: it is a new one and ends there, or nothing has been written yet. A part cannot shorten its file. */
    private boolean cuts(long size) {
        boolean isPart = existing != null && search != null;
        if (size == 0 && upload == null && search == null) {
            startsEmpty = true;
            endBytes = 0;
        } else if (isPart || size != endBytes) {
            return false;
        }
        isCut = true;
        return true;
    }

    void write(long position, ByteBuffer bytes, Consumer<Optional<RequestFailure>> done) {
        if (endBytes == 0) {
            client.answeredWithin(System.nanoTime() - beganNanos); // it has had the answer to OPEN
        }
        endBytes = Math.max(endBytes, position + bytes.remaining());
        isCut = false;
        if (upload == null && startsEmpty && refused == null) {
            beginWhole(client.names().place(path).orElseThrow());
        } else if (upload == null && existing != null && refused == null && afterSearch.isEmpty()) {
            decide(position);
        }
        RandomAccessUpload open = upload;
        if (open != null) {
            open.write(position, bytes, done);
        } else {
            afterSearch(
                    () -> {
                        RandomAccessUpload found = upload;
                        if (found != null) {
                            found.write(position, bytes, done);
                        } else {
                            done.accept(Optional.ofNullable(refused));
                        }
                    },
                    position);
        }
    }

    /** Of a file that was opened undecided: from byte 0 on it is a new one; later bytes continue what broke off, or are a part. */
    private void decide(long position) {
        Namespace.Place place = client.names().place(path).orElseThrow();
        if (position == 0) {
            beginWhole(place);
        } else if (client.uploads().interrupted(client.account().name(), place).isPresent()) {
            resume(place);
        }
    }

    /** Begins a new file. Where an upload of this path broke off, what comes is compared with it. */
    void beginWhole(Namespace.Place place) {
        Outcome<Upload> begun = client.uploads().begin(client.requester(), place, OptionalLong.empty(), false);
        Refusal refusal = begun.refusal();
        if (refusal != null) {
            refused = RequestFailure.of(refusal);
        } else {
            begin(
                    begun.get(),
                    RandomAccessUpload.Range.WHOLE_FILE,
                    UploadObstacleCheck.begin(client.names(), client.account(), place));
        }
    }

    /** Continues the upload of this path that broke off. */
    void resume(Namespace.Place place) {
        Outcome<Upload> resumed =
                client.uploads().resume(client.account().name(), place).orElseThrow();
        Refusal refusal = resumed.refusal();
        if (refusal != null) {
            refused = RequestFailure.of(refusal);
            return;
        }
        existing = null;
        Upload interrupted = resumed.get();
        endBytes = Math.max(endBytes, AdvertisedSizes.of(interrupted.resumePositionBytes()));
        begin(
                interrupted,
                new RandomAccessUpload.Range(0, interrupted.durableEndBytes()),
                UploadObstacleCheck.notNeeded());
    }

    /** Why it cannot be written, if that is so. */
    Optional<RequestFailure> refusal() {
        return Optional.ofNullable(refused);
    }

    /** Runs {@code action} when it is known which file the bytes from {@code position} on belong to. */
    private void afterSearch(Runnable action, long position) {
        if (refused != null) {
            action.run();
            return;
        }
        afterSearch.add(action);
        if (search == null) {
            Namespace.Place place = client.names().place(path).orElseThrow();
            search = new PatchBaseFinder(
                    client.uploads(),
                    client.account(),
                    place,
                    new PatchBaseFinder.Position.Adjusted(position),
                    patch -> found(client.uploads().begin(client.requester(), place, patch), position),
                    () -> found(client.uploads().begin(client.requester(), place, OptionalLong.empty(), false), 0),
                    this::searchFailed);
            search.begin();
        }
    }

    private void found(Outcome<Upload> begun, long shiftBytes) {
        Refusal refusal = begun.refusal();
        if (refusal != null) {
            searchFailed(RequestFailure.of(refusal));
        } else {
            begin(begun.get(), new RandomAccessUpload.Range(shiftBytes, 0), UploadObstacleCheck.notNeeded());
            searchEnded();
        }
    }

    private void searchFailed(RequestFailure failure) {
        refused = failure;
        searchEnded();
    }

    private void searchEnded() {
        List<Runnable> waiting = List.copyOf(afterSearch);
        afterSearch.clear();
        waiting.forEach(Runnable::run);
    }

    /** Answers when all that has come is durable. */
    void sync(Consumer<Optional<RequestFailure>> done) {
        RandomAccessUpload open = upload;
        if (open == null) {
            done.accept(Optional.ofNullable(refused));
        } else {
            open.sync(done);
        }
    }

    /** CLOSE: the client says that the file is complete. {@code told} gets what came of it. */
    void close(long windowNanos, Consumer<Optional<RequestFailure>> told) {
        isClosing = true;
        ExistingFile there = existing;
        if (search != null && !afterSearch.isEmpty()) {
            afterSearch.add(() -> end(windowNanos, told));
        } else if (!startsEmpty && (there == null || search != null || refused != null)) {
            end(windowNanos, told);
        } else if (isCut || startsEmpty || there == null) {
            endWhole(windowNanos, told);
        } else {
            there.whenKnown(known -> endUncut(known, windowNanos, told));
        }
    }

    /** The client has not said that nothing follows: what was there before counts. */
    private void endUncut(ExistingFile there, long windowNanos, Consumer<Optional<RequestFailure>> told) {
        if (upload == null && there.isThere()) {
            end(windowNanos, told); // it was opened and left as it is
        } else if (there.failure().isPresent()) {
            refuseEnd(there.failure().get(), windowNanos, told);
        } else if (there.isThere() && there.sizeBytes() > endBytes && !there.isIncomplete()) {
            refuseEnd(
                    RequestFailure.conflict("the file that is there is longer, with " + there.sizeBytes()
                            + " bytes; cut it when you open it, or at the end"),
                    windowNanos,
                    told);
        } else {
            endWhole(windowNanos, told);
        }
    }

    private void endWhole(long windowNanos, Consumer<Optional<RequestFailure>> told) {
        if (upload == null && refused == null) {
            beginWhole(client.names().place(path).orElseThrow());
        }
        end(windowNanos, told);
    }

    private void refuseEnd(RequestFailure failure, long windowNanos, Consumer<Optional<RequestFailure>> told) {
        if (upload == null) {
            refused = failure;
        } else {
            upload.refuse(failure);
        }
        end(windowNanos, told);
    }

    private void end(long windowNanos, Consumer<Optional<RequestFailure>> told) {
        RandomAccessUpload open = upload;
        if (open == null) {
            over();
            told.accept(Optional.ofNullable(refused));
            return;
        }
        open.end(windowNanos, new RandomAccessUpload.End() {
            @Override
            public void committed(TransferKey key, long sizeBytes) {
                setAttributes(
                        attributesFailure -> CustodyFollower.follow(client.changeContext(), path, key, failure -> {
                            Optional<RequestFailure> outcome = failure.or(() -> attributesFailure);
                            client.notes().uploadEnded(path, key, sizeBytes, beganNanos, ClientNotes.result(outcome));
                            told.accept(outcome);
                        }));
                over();
            }

            @Override
            public void refused(RequestFailure failure) {
                over();
                client.notes().uploadEnded(path, open.key(), open.receivedBytes(), beganNanos, failure.words());
                told.accept(Optional.of(failure));
            }
        });
    }

    /** The file is complete here: its mode and time follow it, each as a change of its own. */
    private void setAttributes(Consumer<Optional<RequestFailure>> set) {
        Optional<RequestFailure> none = Optional.empty();
        Consumer<Optional<RequestFailure>> modeSet = failure -> modifiedSeconds.ifPresentOrElse(
                seconds -> client.changes()
                        .setTime(path, TimeUnit.SECONDS.toMillis(seconds), more -> set.accept(failure.or(() -> more))),
                () -> set.accept(failure));
        mode.ifPresentOrElse(bits -> client.changes().setMode(path, bits, modeSet), () -> modeSet.accept(none));
    }

    private void over() {
        isOver = true;
        List<Runnable> waiting = List.copyOf(afterEnd);
        afterEnd.clear();
        waiting.forEach(Runnable::run);
    }

    /** The client goes on after CLOSE: it has not died with it. */
    void clientActed() {
        if (isClosing() && upload != null) {
            upload.clientActed();
        }
    }

    /** The client deletes it before it is complete. Whether that was so. */
    boolean drop() {
        RandomAccessUpload open = upload;
        if (open == null || open.isOver()) {
            return false;
        }
        open.drop("deleted by its client");
        return true;
    }

    @Override
    public void clientGone() {
        if (search != null) {
            search.cancel();
        }
        RandomAccessUpload open = upload;
        if (open != null && !open.isOver()) {
            boolean told = isClosing;
            open.clientGone(() -> {
                if (!told) {
                    client.notes()
                            .uploadEnded(
                                    path,
                                    open.key(),
                                    open.receivedBytes(),
                                    beganNanos,
                                    "the client was gone before it closed the file");
                }
            });
        }
    }
}
