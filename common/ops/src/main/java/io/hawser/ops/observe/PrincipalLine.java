package io.hawser.ops.observe;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * What a principal (the owner of a certificate, or an address) uses at the broker; an element of the JSON page {@code /quotas}. In the JSON its
 * parts are not nested.
 *
 * @param who the principal
 * @param used what it uses
 * @param limits the most that it may use
 * @param timesSlowed how often it was too fast, so that the broker did not read its sessions for a moment
 */
public record PrincipalLine(
        String who, @JsonUnwrapped Used used, @JsonUnwrapped Limits limits, long timesSlowed) {

    /**
     * What a principal uses.
     *
     * @param sessions that are up
     * @param subscriptions also while no consumer is connected
     * @param openTransfers that it has announced and not committed
     * @param calls questions about files that are not answered yet
     * @param buffers that it holds for what it sends
     * @param messages control messages since its first session
     * @param records of the log since its first session
     * @param refusals messages and packets that were refused or changed nothing, since its first session
     * @param connects sessions that it has opened
     */
    public record Used(
            long sessions,
            long subscriptions,
            long openTransfers,
            long calls,
            long buffers,
            long messages,
            long records,
            long refusals,
            long connects) {}

    /**
     * The most that a principal may use.
     *
     * @param messages control messages a second
     * @param records of the log a second
     * @param refusals a second
     * @param connects a second
     */
    public record Limits(
            @JsonProperty("limitSessions") long sessions,
            @JsonProperty("limitSubscriptions") long subscriptions,
            @JsonProperty("limitOpenTransfers") long openTransfers,
            @JsonProperty("limitCalls") long calls,
            @JsonProperty("limitBuffers") long buffers,
            @JsonProperty("limitMessages") long messages,
            @JsonProperty("limitRecords") long records,
            @JsonProperty("limitRefusals") long refusals,
            @JsonProperty("limitConnects") long connects) {}
}
