package io.hawser.agenta.upload;

import io.hawser.core.buffer.FragmentBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where in an upload the bytes that come begin.
 *
 * @param index the fragment
 * @param partial its beginning, which is there already, or null; the reference goes to the receiver
 * @param filled how long that is
 */
public record UploadStartPosition(long index, @Nullable FragmentBuffer partial, int filled) {
    public static final UploadStartPosition BEGINNING = new UploadStartPosition(0, null, 0);
}
