/** Content of one transfer on a disk: a file of its fragments, and beside it a file of their digests. The spool and the landing area use it. */
@NullMarked
package io.hawser.store.content;

import org.jspecify.annotations.NullMarked;
