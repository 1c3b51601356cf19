/**
 * Chaos on real processes: publishers and subscribers at work while nodes are killed and stopped and their links are cut, and an
 * oracle that compares what was acknowledged with what arrived. Started by {@code integration-tests/lab chaos}, and for some seconds by {@code ChaosIT}.
 */
@org.jspecify.annotations.NullMarked
package io.hawser.it.chaos;
