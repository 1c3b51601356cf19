package io.hawser.ops.observe;

/**
 * What a principal takes of the broker: the owner of a certificate, or an address; an element of the JSON page {@code /quotas}.
 *
 * @param who it is
 * @param sessions that are up, of at most {@code limitSessions}
 * @param subscriptions also while no consumer is connected
 * @param openTransfers that it has announced and not committed
 * @param calls questions about files that are not answered
 * @param buffers for what comes in that it holds
 * @param messages control messages since its first session; at most {@code limitMessages} a second
 * @param records of the log since its first session; at most {@code limitRecords} a second
 * @param refusals messages and packets that were refused or changed nothing, since its first session; at most {@code limitRefusals} a second
 * @param connects sessions that it has made; at most {@code limitConnects} a second
 * @param timesSlowed how often it was too fast, so that its sessions were not read for a moment
 *
 * <p>Thread: immutable.
 */
public record PrincipalLine(
        String who,
        long sessions,
        long limitSessions,
        long subscriptions,
        long limitSubscriptions,
        long openTransfers,
        long limitOpenTransfers,
        long calls,
        long limitCalls,
        long buffers,
        long limitBuffers,
        long messages,
        long limitMessages,
        long records,
        long limitRecords,
        long refusals,
        long limitRefusals,
        long connects,
        long limitConnects,
        long timesSlowed) {}
