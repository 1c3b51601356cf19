/**
 * What agent-a asks of the far end: what is there, and the bytes of it. Nothing of it is durable: relayed by the
 * broker from memory, not logged, not forced. Each question stands for itself and changes nothing, so after any crash it is
 * simply asked again; a download is a window of such questions.
 */
@NullMarked
package io.hawser.core.remote;

import org.jspecify.annotations.NullMarked;
