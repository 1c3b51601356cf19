/**
 * What a store needs of the process around it: disk threads, clocks, random numbers. A node gives threads; a simulator gives a schedule.
 * No store makes a thread or reads a clock by itself.
 */
@NullMarked
package io.hawser.store.runtime;

import org.jspecify.annotations.NullMarked;
