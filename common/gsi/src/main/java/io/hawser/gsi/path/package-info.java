/** Whether a certificate chain may be believed, and whose it is. Pure: what is on disk comes as a value. */
@NullMarked
package io.hawser.gsi.path;

import org.jspecify.annotations.NullMarked;
