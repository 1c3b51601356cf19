/**
 * The threads that compute SHA-256, which uses more processor time than any other step and so never runs on an event loop.
 */
@NullMarked
package io.hawser.core.digest;

import org.jspecify.annotations.NullMarked;
