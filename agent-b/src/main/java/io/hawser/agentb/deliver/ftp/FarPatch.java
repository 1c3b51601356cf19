package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.TransferDigest;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.landing.CopyDigestVerifier;
import io.hawser.store.landing.MergedFile;
import io.hawser.store.landing.MergedFileWriter;
import io.hawser.store.landing.PatchPlan;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges a patch with the far file that it is for: reads the base file into the landing area and writes the bytes of the patch into the copy, which
 * is then uploaded and renamed like any other object. So the far file changes from its old to its new content at once.
 *
 * <p>The base must be the version that the patch's fingerprint names. Size and time (SIZE, MDTM) are compared before and after the read, and before
 * the rename; a change within the same second that keeps the size is not noticed, unless the server gives fractions. A fingerprint of another form
 * comes from elsewhere than this server; the patch is refused.
 *
 * <p>Where the patch names the base's digest instead, each attempt reads the base anew and compares. Size and time show changes between that and
 * the rename.
 *
 * <p>Thread: a delivering thread.
 */
final class FarPatch {
    private static final Logger LOG = LoggerFactory.getLogger(FarPatch.class);
    private static final Pattern FINGERPRINT = Pattern.compile("(?:[a-z]+:)?([0-9]{1,18})-(-?[0-9]{1,18})(f?)");
    private static final int STEP_BYTES = LandedFile.STEP_BYTES;
    private static final long HEADROOM_BYTES = 64L << 20;
    private static final int USUAL_MODE = 0644;
    private static final int END_OF_FILE = -1;
    private static final String CHANGED = "the file has changed since the upload began; nothing was written to it";

    private final Storage storage;
    private final StallWatchdog watch;
    private final FarSession session;
    private final VerifiedObject object;
    private final PatchPlan plan;
    private final String path;
    /** The time of the base that is, or was, compared with the digest. */
    private @Nullable FarTime timeAtRead;

    /** @param path the far file that is patched */
    FarPatch(Storage storage, StallWatchdog watch, FarSession session, VerifiedObject object, String path) {
        this.storage = storage;
        this.watch = watch;
        this.session = session;
        this.object = object;
        this.plan = PatchPlan.of(object.manifest());
        this.path = path;
    }

    long mergedBytes() {
        return plan.mergedBytes(object.commit().sizeBytes());
    }

    /**
     * The merged file, made now or by an earlier attempt.
     *
     * @param renameAsked whether the rename may have begun, so that the base may be gone
     */
    Path merged(boolean renameAsked) throws IOException {
        Path merged = PatchPlan.merged(object.file());
        if (plan.digest().isPresent() && !renameAsked) {
            storage.delete(merged); // the base may have changed since it was read
        }
        if (storage.facts(merged) == null) {
            Path merging = PatchPlan.merging(object.file());
            storage.delete(merging);
            checkSpace(merging);
            try {
                MergedFile.complete(storage, object.file(), build(merging));
            } catch (IOException e) {
                storage.delete(merging);
                throw e;
            }
        }
        return merged;
    }

    private void checkSpace(Path merging) throws IOException {
        Path directory = merging.getParent();
        long usable = directory == null ? Long.MAX_VALUE : storage.usableSpaceBytes(directory);
        if (usable - HEADROOM_BYTES < mergedBytes()) {
            throw new SessionIntactException(
                    "the merged copy of the file needs " + mergedBytes() + " bytes; the landing area has " + usable
                            + " free and keeps " + HEADROOM_BYTES + " of them as head-room");
        }
    }

    /** Returns the digest of what was written. */
    private TransferDigest build(Path merging) throws IOException {
        checkBase();
        try (StorageFile file = storage.open(merging, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
                MergedFileWriter writer = MergedFileWriter.open(storage, object, plan, file)) {
            CopyDigestVerifier digest =
                    plan.digest().map(CopyDigestVerifier::new).orElse(null);
            if (plan.baseSizeBytes() > 0) {
                readBack(writer, digest);
            }
            if (digest != null && !digest.matches()) {
                throw new PermanentFailureException(CHANGED);
            }
            TransferDigest written = writer.finish();
            checkBase();
            file.force(true);
            return written;
        }
    }

    /** Throws {@link PermanentFailureException} unless the far file is still the base. */
    void checkBase() throws IOException {
        long size = session.sizeOf(path);
        if (plan.makesFile()) {
            if (size >= 0 || (size == FarSession.UNKNOWN && session.exists(path))) {
                throw new PermanentFailureException("File exists: it was created after the upload began");
            }
            return;
        }
        if (size == FarSession.MISSING) {
            throw new PermanentFailureException("No such file or directory");
        }
        if (plan.digest().isPresent()) {
            checkUnchangedSinceRead(size);
            return;
        }
        Matcher expected = FINGERPRINT.matcher(plan.fingerprint());
        if (size == FarSession.UNKNOWN || !expected.matches()) {
            throw new PermanentFailureException(
                    "Cannot check whether the far server's file is the one that the patch is for."
                            + " Send the whole file.");
        }
        FarTime expectedTime = new FarTime(
                Long.parseLong(expected.group(2)), !expected.group(3).isEmpty());
        FarTime now = FarTimeCommands.modified(session.client(), path);
        if (plan.fingerprint().startsWith(RemoteFile.WHOLE_ONLY_PREFIX) || !now.known()) {
            throw new PermanentFailureException(
                    "The far server gives no modification times, so agent-b cannot check whether its file has changed."
                            + " Send the whole file.");
        }
        if (size != plan.baseSizeBytes() || !expectedTime.maySame(now)) {
            throw new PermanentFailureException(CHANGED);
        }
    }

    /** The digest of what was read decides; this notices later changes. */
    private void checkUnchangedSinceRead(long size) throws IOException {
        if (size == FarSession.UNKNOWN && plan.baseSizeBytes() == 0) {
            throw new PermanentFailureException(
                    "The far server gives no sizes, so agent-b cannot check whether its file is still"
                            + " empty. Send the whole file.");
        }
        if (size != FarSession.UNKNOWN && size != plan.baseSizeBytes()) {
            throw new PermanentFailureException(CHANGED);
        }
        FarTime now = FarTimeCommands.modified(session.client(), path);
        FarTime before = timeAtRead;
        if (before == null) {
            timeAtRead = now;
        } else if (before.known() && now.known() && !before.maySame(now)) {
            throw new PermanentFailureException(CHANGED);
        }
    }

    private void readBack(MergedFileWriter writer, @Nullable CopyDigestVerifier digest) throws IOException {
        session.streamMode();
        long done = 0;
        boolean isLonger;
        try (StallWatchdog.Watched watched = watch.watch(session::abandon);
                Socket data = session.client().beginTransfer("RETR", path, 0);
                InputStream in = data.getInputStream()) {
            byte[] step = new byte[STEP_BYTES];
            while (done < plan.baseSizeBytes()) {
                int count = in.read(step, 0, (int) Math.min(step.length, plan.baseSizeBytes() - done));
                if (count < 0) {
                    break; // the reply or the next check tells why
                }
                if (digest != null) {
                    digest.update(ByteBuffer.wrap(step, 0, count));
                }
                writer.base(ByteBuffer.wrap(step, 0, count));
                done += count;
                watched.progress();
            }
            isLonger = in.read() != END_OF_FILE;
        }
        if (isLonger) {
            endPartialRead();
            throw new PermanentFailureException(CHANGED);
        }
        session.client().endTransfer("RETR");
        if (done != plan.baseSizeBytes()) {
            throw new SessionIntactException(
                    "the far server sent " + done + " bytes of a file of " + plan.baseSizeBytes());
        }
    }

    /** Reads the reply to a transfer that was not read to its end, so that the session can be used again. */
    private void endPartialRead() throws IOException {
        try {
            session.client().endTransfer("RETR");
        } catch (FarRefusedException e) {
            LOG.atDebug().setCause(e).log("the far server's reply to a download that was cut off");
        }
    }

    /** Gives the uploaded file the base's permissions, if they are known and the server allows it. */
    void keepMode(String temporaryPath) throws IOException {
        int mode = plan.mode().orElse(USUAL_MODE);
        if (!plan.makesFile() && mode != USUAL_MODE) {
            int unused =
                    session.client().sendCommand("SITE", "CHMOD " + Integer.toOctalString(mode) + " " + temporaryPath);
        }
    }

    static void removeCopies(Storage storage, VerifiedObject object) throws StorageException {
        MergedFile.delete(storage, object.file());
    }
}
