/**
 * How a session tunes itself, each direction by its sender, without sockets, clocks or threads: {@link
 * io.hawser.ptcp.tune.StreamStatsAggregator} makes one {@link io.hawser.ptcp.tune.IntervalSample} of what the streams' sockets say,
 * {@link io.hawser.ptcp.tune.StreamCountTuner} decides how many streams are used, {@link io.hawser.ptcp.tune.BottleneckEstimate}
 * how fast all of them send together, {@link io.hawser.ptcp.tune.BackgroundRateControl} how far to hold back for others, {@link io.hawser.ptcp.tune.TokenBucket} when the next packet may leave, {@link
 * io.hawser.ptcp.tune.StreamQuantum} how much a stream is given at a time, and {@link io.hawser.ptcp.tune.SendBufferSizer} how
 * large its send buffer is to be. Internal to the module.
 */
@NullMarked
package io.hawser.ptcp.tune;

import org.jspecify.annotations.NullMarked;
