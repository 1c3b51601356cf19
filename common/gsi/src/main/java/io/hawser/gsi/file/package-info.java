/** Certificates, keys, trust anchors and the grid-mapfile on disk. What has changed is read again. */
@NullMarked
package io.hawser.gsi.file;

import org.jspecify.annotations.NullMarked;
