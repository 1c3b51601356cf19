/**
 * Uploads in no protocol's words: bytes at offsets, evidence of the end, commit. {@link io.hawser.agenta.upload.UploadService} begins,
 * continues and patches; {@link io.hawser.agenta.upload.FragmentSink} takes bytes in order and {@link
 * io.hawser.agenta.upload.FragmentAssembly} in any order; {@link io.hawser.agenta.upload.EndEvidence} decides whether an end is one. All
 * uploads share a few buffers, which {@link io.hawser.agenta.upload.BufferScheduler} assigns.
 */
@NullMarked
package io.hawser.agenta.upload;

import org.jspecify.annotations.NullMarked;
