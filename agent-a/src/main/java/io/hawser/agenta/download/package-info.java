/**
 * Downloads in no protocol's words: {@link io.hawser.agenta.download.SourceSearch} finds what is read, a {@link
 * io.hawser.agenta.download.VersionedSource} gives blocks of one version of one file (from the far end, or from the spool's own copy), and a
 * {@link io.hawser.agenta.download.DownloadWindow} asks for some of them ahead and hands them on in order or as they come. A {@link
 * io.hawser.agenta.download.ReadBudget} bounds what all downloads have under way together.
 */
@NullMarked
package io.hawser.agenta.download;

import org.jspecify.annotations.NullMarked;
