/** Programs that know nothing of Hawser, over the sockets of PTCP. */
@NullMarked
package io.hawser.it.ptcp;

import org.jspecify.annotations.NullMarked;
