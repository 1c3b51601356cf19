package io.hawser.core.model;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides when a publisher reports a transfer complete: when all of its subscriptions have it, or any K. All subscriptions get it in either
 * case.
 *
 * @param count how many; 0 for all
 */
public record CompletionRule(int count) {
    /** Every subscription that existed at the commit. */
    public static final CompletionRule ALL = new CompletionRule(0);

    /** The largest K. */
    public static final int MAX_COUNT = 9999;

    private static final Set<ReceiptStatus> FAILED =
            EnumSet.of(ReceiptStatus.FAILED, ReceiptStatus.EXPIRED, ReceiptStatus.CANCELLED);
    private static final Set<ReceiptStatus> FAILED_OR_DEAD =
            EnumSet.of(ReceiptStatus.FAILED, ReceiptStatus.EXPIRED, ReceiptStatus.CANCELLED, ReceiptStatus.DEAD);
    private static final String ANY_PREFIX = "any:";

    public CompletionRule {
        if (count < 0 || count > MAX_COUNT) {
            throw new IllegalArgumentException("any:K needs a K from 1 to " + MAX_COUNT);
        }
    }

    /** Any {@code count} subscriptions, 1 to {@value #MAX_COUNT}. */
    public static CompletionRule any(int count) {
        if (count == 0) {
            throw new IllegalArgumentException("any:K needs a K from 1 to " + MAX_COUNT);
        }
        return new CompletionRule(count);
    }

    /** Parses {@code all} or {@code any:K}. {@link IllegalArgumentException} says what is wrong. */
    public static CompletionRule parse(String text) {
        String word = text.strip();
        if (word.equals("all")) {
            return ALL;
        }
        if (!word.matches(ANY_PREFIX + "[0-9]{1,4}")) {
            throw new IllegalArgumentException("'" + text + "' is not all or any:K with a K from 1 to " + MAX_COUNT);
        }
        return any(Integer.parseInt(word.substring(ANY_PREFIX.length())));
    }

    /**
     * Whether enough subscriptions have reached {@code level}.
     *
     * @param deliverySet the subscriptions that count; empty while they are unknown
     * @param counted the latest receipt of each that counts and has sent one
     * @param level {@code LANDED} or {@code DELIVERED}
     */
    public boolean isMet(Collection<String> deliverySet, List<Receipt> counted, ReceiptStatus level) {
        int good = 0;
        for (Receipt receipt : counted) {
            good += hasReached(receipt.status(), level) ? 1 : 0;
        }
        return good >= (count == 0 ? expected(deliverySet, counted) : count);
    }

    private static boolean hasReached(ReceiptStatus status, ReceiptStatus level) {
        return switch (status) {
            case DELIVERED -> true;
            case LANDED, DEAD -> level == ReceiptStatus.LANDED; // a dead letter is durable there
            case FAILED, EXPIRED, CANCELLED -> false;
        };
    }

    /** Why the rule can never be met, or empty. Parameters as of {@link #isMet}. */
    public Optional<String> failure(Collection<String> deliverySet, List<Receipt> counted) {
        return without(FAILED, deliverySet, counted);
    }

    /**
     * Why the rule cannot be met unless an operator of a consumer helps, or empty: the transfer failed there, or is a dead letter. Parameters
     * as of {@link #isMet}.
     */
    public Optional<String> impasse(Collection<String> deliverySet, List<Receipt> counted) {
        return without(FAILED_OR_DEAD, deliverySet, counted);
    }

    private Optional<String> without(Set<ReceiptStatus> bad, Collection<String> deliverySet, List<Receipt> counted) {
        int failed = 0;
        Optional<String> complaint = Optional.empty();
        for (Receipt receipt : counted) {
            if (bad.contains(receipt.status())) {
                failed++;
                complaint = complaint.isPresent() ? complaint : Optional.of(receipt.complaint());
            }
        }
        if (count == 0 || (deliverySet.isEmpty() && counted.isEmpty())) {
            return complaint;
        }
        int expected = expected(deliverySet, counted);
        int possible = expected - failed;
        if (possible >= count) {
            return Optional.empty();
        }
        String shortage = "it goes to " + expected + (expected == 1 ? " subscription" : " subscriptions")
                + ", of which " + possible + " can have it, and " + this + " was requested";
        return Optional.of(complaint.map(why -> why + " (" + shortage + ")").orElse(shortage));
    }

    private static int expected(Collection<String> deliverySet, List<Receipt> counted) {
        return deliverySet.isEmpty() ? Math.max(1, counted.size()) : deliverySet.size();
    }

    @Override
    public String toString() {
        return count == 0 ? "all" : ANY_PREFIX + count;
    }
}
