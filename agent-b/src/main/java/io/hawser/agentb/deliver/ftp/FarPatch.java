package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.FragmentRange;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.landing.BaseDigest;
import io.hawser.store.landing.MergedFile;
import io.hawser.store.landing.PatchPlan;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.Caching;
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
 * Makes a whole file of a patch for a far server: the file that it is for is read back into the landing area, the bytes of the patch are
 * written into it, and the whole is uploaded and renamed like any other object. What stands there changes from the old bytes to the new
 * ones and is never anything else.
 *
 * <p>That it is still the file of which the near edge was told is judged by size and time (SIZE, MDTM), before it is read, behind it, and
 * before the rename; so a change within the same second that keeps the size is not seen, unless the server tells finer times. A file of
 * which the near edge was told something else than size and time (it looked at another place than this server) is refused.
 *
 * <p>Where the patch tells the file's digest instead, each attempt reads the file anew and compares what came with the digest. What is
 * changed between that and the rename is seen by size and time, as far as the server tells them.
 *
 * <p>Thread: the target's.
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
    /** The time of the file that is, or was, compared with the digest. */
    private @Nullable FarTime compared;

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
     * The whole file, made now or by an earlier attempt.
     *
     * @param asked whether the rename may have begun, so that the old file may be gone
     */
    Path merged(boolean asked) throws IOException {
        Path merged = PatchPlan.merged(object.file());
        if (plan.digest().isPresent() && !asked) {
            storage.delete(merged); // the far file may have been changed since it was read
        }
        if (storage.facts(merged) == null) {
            Path merging = PatchPlan.merging(object.file());
            storage.delete(merging);
            checkSpace(merging);
            try {
                build(merging);
            } catch (IOException e) {
                storage.delete(merging);
                throw e;
            }
            MergedFile.complete(storage, object.file());
        }
        return merged;
    }

    private void checkSpace(Path merging) throws IOException {
        Path directory = merging.getParent();
        long usable = directory == null ? Long.MAX_VALUE : storage.usableSpaceBytes(directory);
        if (usable - HEADROOM_BYTES < mergedBytes()) {
            throw new LocalShortageException("a copy of the whole file needs " + mergedBytes()
                    + " bytes for a while, and the landing area has " + usable + ", of which " + HEADROOM_BYTES
                    + " are kept back");
        }
    }

    private void build(Path merging) throws IOException {
        checkBase();
        try (StorageFile file = storage.open(merging, OpenMode.CREATE_NEW, Caching.PAGE_CACHE)) {
            BaseDigest digest = plan.digest().map(BaseDigest::new).orElse(null);
            if (plan.baseSizeBytes() > 0) {
                readBack(file, digest);
            }
            if (digest != null && !digest.matches()) {
                throw new PermanentFailureException(CHANGED);
            }
            copyPatch(file);
            checkBase();
            file.force(true);
        }
    }

    /** Throws {@link PermanentFailureException} unless the far file is the one that the patch is for. */
    void checkBase() throws IOException {
        long size = session.sizeOf(path);
        if (plan.makesFile()) {
            if (size >= 0 || (size == FarSession.UNKNOWN && session.isThere(path))) {
                throw new PermanentFailureException("File exists: it was made since the upload began");
            }
            return;
        }
        if (size == FarSession.MISSING) {
            throw new PermanentFailureException("No such file or directory");
        }
        if (plan.digest().isPresent()) {
            checkCompared(size);
            return;
        }
        Matcher told = FINGERPRINT.matcher(plan.fingerprint());
        if (size == FarSession.UNKNOWN || !told.matches()) {
            throw new PermanentFailureException(
                    "Nobody can tell whether the far server's file is the one that the patch is for."
                            + " Send the whole file.");
        }
        FarTime toldTime =
                new FarTime(Long.parseLong(told.group(2)), !told.group(3).isEmpty());
        FarTime now = FarTimeCommands.modified(session.client(), path);
        if (plan.fingerprint().startsWith(RemoteFile.WHOLE_ONLY_PREFIX) || !now.known()) {
            throw new PermanentFailureException(
                    "The far server tells no times, so that nobody can tell whether its file has changed."
                            + " Send the whole file.");
        }
        if (size != plan.baseSizeBytes() || !toldTime.maySame(now)) {
            throw new PermanentFailureException(CHANGED);
        }
    }

    /** What is read back decides; this sees whether it is still that. */
    private void checkCompared(long size) throws IOException {
        if (size == FarSession.UNKNOWN && plan.baseSizeBytes() == 0) {
            throw new PermanentFailureException(
                    "The far server tells no sizes, so that nobody can tell whether its file is still"
                            + " empty. Send the whole file.");
        }
        if (size != FarSession.UNKNOWN && size != plan.baseSizeBytes()) {
            throw new PermanentFailureException(CHANGED);
        }
        FarTime now = FarTimeCommands.modified(session.client(), path);
        FarTime before = compared;
        if (before == null) {
            compared = now;
        } else if (before.known() && now.known() && !before.maySame(now)) {
            throw new PermanentFailureException(CHANGED);
        }
    }

    private void readBack(StorageFile file, @Nullable BaseDigest digest) throws IOException {
        session.streamMode();
        boolean isLonger;
        try (StallWatchdog.Watched watched = watch.watch(session::abandon);
                Socket data = session.store("RETR", path, 0);
                InputStream in = data.getInputStream()) {
            byte[] step = new byte[STEP_BYTES];
            for (long done = 0; done < plan.baseSizeBytes(); ) {
                int count = in.read(step, 0, (int) Math.min(step.length, plan.baseSizeBytes() - done));
                if (count < 0) {
                    break; // the reply or the next look tells why
                }
                if (digest != null) {
                    digest.update(ByteBuffer.wrap(step, 0, count));
                }
                file.write(ByteBuffer.wrap(step, 0, count), done);
                done += count;
                watched.progress();
            }
            isLonger = in.read() != END_OF_FILE;
        }
        if (isLonger) {
            endCutOff();
            throw new PermanentFailureException(CHANGED);
        }
        session.client().endTransfer("RETR");
        if (file.sizeBytes() != plan.baseSizeBytes()) {
            throw new ContentMismatchException(
                    "the far server sent " + file.sizeBytes() + " bytes of a file of " + plan.baseSizeBytes());
        }
    }

    /** Takes what the server says to a transfer that was not read to its end, so that the session can go on. */
    private void endCutOff() throws IOException {
        try {
            session.client().endTransfer("RETR");
        } catch (FarRefusedException e) {
            LOG.atDebug().setCause(e).log("the far server noticed that it was not read to the end");
        }
    }

    private void copyPatch(StorageFile file) throws StorageException {
        byte[] step = new byte[STEP_BYTES];
        long length = object.commit().sizeBytes();
        try (LandedFile patch = LandedFile.open(storage, object.file(), length)) {
            for (long done = 0; done < length; ) {
                int count = patch.read(step, done, (int) Math.min(step.length, length - done));
                int used = 0;
                for (FragmentRange place : plan.places().inFile(done, done + count)) {
                    file.write(ByteBuffer.wrap(step, used, (int) place.count()), place.start());
                    used += (int) place.count();
                }
                done += count;
            }
        }
    }

    /** Gives the uploaded file the permissions that the old one had, as far as they are known and the server does it. */
    void keepMode(String temporaryPath) throws IOException {
        int mode = plan.mode().orElse(USUAL_MODE);
        if (!plan.makesFile() && mode != USUAL_MODE) {
            int unused =
                    session.client().sendCommand("SITE", "CHMOD " + Integer.toOctalString(mode) + " " + temporaryPath);
        }
    }

    /** Removes the copies, when they are of no use any more. */
    static void tidy(Storage storage, VerifiedObject object) throws StorageException {
        MergedFile.delete(storage, object.file());
    }
}
