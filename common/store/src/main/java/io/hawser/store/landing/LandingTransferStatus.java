package io.hawser.store.landing;

/**
 * One transfer in the landing area at one moment, for people and for JSON.
 *
 * @param transfer the key
 * @param topic the topic it came by
 * @param name its path below the target
 * @param state how far it got
 * @param sizeBytes its size; -1 while unknown
 * @param durableBytes how many bytes of it are durable here and verified
 * @param ageMillis time since it was opened here, or since the restart
 * @param attempts how often its delivery was tried in vain
 * @param problem the present obstacle; empty if there is none
 * @param idleMillis since it last came forward here, as far as is known
 * @param awaited what must happen next, as a phrase
 */
public record LandingTransferStatus(
        String transfer,
        String topic,
        String name,
        LandingState state,
        long sizeBytes,
        long durableBytes,
        long ageMillis,
        int attempts,
        String problem,
        long idleMillis,
        String awaited) {}
