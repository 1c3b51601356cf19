/** A real Kafka, in processes of its own. */
@NullMarked
package io.hawser.kafkatestkit;

import org.jspecify.annotations.NullMarked;
