/**
 * What flight recordings (JFR) of the nodes say of where the time went: {@link io.hawser.it.bench.recording.PhasesBench} by the wall
 * clock, stage by stage, and {@link io.hawser.it.bench.recording.ProfileBench} by processor time. {@code Stage} is the list of stages,
 * {@code StageTimes} the arithmetic, {@code FrameGroup} what a stack belongs to.
 */
@NullMarked
package io.hawser.it.bench.recording;

import org.jspecify.annotations.NullMarked;
