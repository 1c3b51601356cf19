/**
 * The threads that compute SHA-256: the largest single consumer of the chain, and so never on an event loop.
 */
@NullMarked
package io.hawser.core.digest;

import org.jspecify.annotations.NullMarked;
