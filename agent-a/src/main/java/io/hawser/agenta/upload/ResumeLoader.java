package io.hawser.agenta.upload;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.store.spool.Upload;
import java.util.function.Consumer;

/**
 * Loads the beginning of the fragment in which an upload continues, so that the fragment can be filled up. One
 * of the two callbacks is called; after a failure the upload is abandoned.
 *
 * <p>Thread: the loop.
 */
public final class ResumeLoader {
    private final UploadService uploads;
    private final Upload upload;
    private final Consumer<UploadStartPosition> loaded;
    private final Runnable failed;

    public ResumeLoader(UploadService uploads, Upload upload, Consumer<UploadStartPosition> loaded, Runnable failed) {
        this.uploads = uploads;
        this.upload = upload;
        this.loaded = loaded;
        this.failed = failed;
    }

    /** Loads what is before {@code position} in its fragment. */
    public void load(long position) {
        int size = upload.manifest().fragmentSizeBytes();
        long index = position / size;
        int length = (int) (position % size);
        if (length == 0) {
            loaded.accept(new UploadStartPosition(index, null, 0));
            return;
        }
        FragmentBuffer buffer = uploads.buffers().tryAcquire();
        if (buffer == null) {
            uploads.buffers().whenFree(() -> load(position));
            return;
        }
        UploadStartPosition start = new UploadStartPosition(index, buffer, length);
        if (index == upload.resumePositionBytes() / size) {
            upload.loadPartial(buffer, read -> end(start, buffer, read.isRefused()));
        } else {
            uploads.spool().load(upload.key(), index, read -> {
                if (!read.isRefused()) {
                    copy(read.get(), buffer, length);
                }
                end(start, buffer, read.isRefused());
            });
        }
    }

    private static void copy(Fragment fragment, FragmentBuffer into, int length) {
        into.payload(0, length).put(fragment.buffer().payload(fragment.offset(), length));
        fragment.buffer().release();
    }

    private void end(UploadStartPosition start, FragmentBuffer buffer, boolean isRefused) {
        if (isRefused) {
            buffer.release();
            upload.abandon("its beginning cannot be read");
            failed.run();
        } else {
            loaded.accept(start);
        }
    }
}
