package io.hawser.release.drill;

import java.time.Duration;

/**
 * The canaries of a drill.
 *
 * @param count how many each sender sends in a drill without faults and length
 * @param largestBytes size of the largest
 * @param gap between two canaries of one sender
 */
record CanarySettings(int count, long largestBytes, Duration gap) {}
