/** Tests of the relay on a store that answers when it is told to. */
@NullMarked
package io.hawser.broker.relay;

import org.jspecify.annotations.NullMarked;
