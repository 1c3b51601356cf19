package io.hawser.core.model;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How many of a transfer's subscriptions must have it before its publisher reports it complete: all, or any K. It changes nothing
 * for the subscriptions: those that are not waited for get it all the same.
 *
 * @param count how many; 0 for all
 */
public record CompletionRule(int count) {
    /** Every subscription that was there at the commit. */
    public static final CompletionRule ALL = new CompletionRule(0);

    /** The most that can be asked for. */
    public static final int MAX_COUNT = 9999;

    private static final String ANY_PREFIX = "any:";

    public CompletionRule {
        if (count < 0 || count > MAX_COUNT) {
            throw new IllegalArgumentException("any:K needs a K from 1 to " + MAX_COUNT);
        }
    }

    /** Any {@code count} of them, 1 to {@value #MAX_COUNT}. */
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
     * Whether enough of them have come that far.
     *
     * @param deliverySet who counts; empty while nobody is known to
     * @param counted the latest receipt of each that counts and has sent one
     * @param level {@code LANDED} or {@code DELIVERED}
     */
    public boolean isMet(Collection<String> deliverySet, List<Receipt> counted, ReceiptStatus level) {
        long good = counted.stream()
                .filter(receipt -> hasReached(receipt.status(), level))
                .count();
        return good >= (count == 0 ? expected(deliverySet, counted) : count);
    }

    private static boolean hasReached(ReceiptStatus status, ReceiptStatus level) {
        return switch (status) {
            case DELIVERED -> true;
            case LANDED, DEAD -> level == ReceiptStatus.LANDED; // a dead letter is durable there
            case FAILED, EXPIRED -> false;
        };
    }

    /** Why there will never be enough of them, or empty. Parameters as of {@link #isMet}. */
    public Optional<String> failure(Collection<String> deliverySet, List<Receipt> counted) {
        return without(EnumSet.of(ReceiptStatus.FAILED, ReceiptStatus.EXPIRED), deliverySet, counted);
    }

    /**
     * Why there will not be enough that deliver it unless a person at a far end helps, or empty: it failed there, or is a dead letter.
     * Parameters as of {@link #isMet}.
     */
    public Optional<String> impasse(Collection<String> deliverySet, List<Receipt> counted) {
        return without(
                EnumSet.of(ReceiptStatus.FAILED, ReceiptStatus.EXPIRED, ReceiptStatus.DEAD), deliverySet, counted);
    }

    private Optional<String> without(Set<ReceiptStatus> bad, Collection<String> deliverySet, List<Receipt> counted) {
        List<Receipt> failed = counted.stream()
                .filter(receipt -> bad.contains(receipt.status()))
                .toList();
        Optional<String> complaint = failed.stream().findFirst().map(Receipt::complaint);
        if (count == 0 || (deliverySet.isEmpty() && counted.isEmpty())) {
            return complaint;
        }
        int expected = expected(deliverySet, counted);
        int possible = expected - failed.size();
        if (possible >= count) {
            return Optional.empty();
        }
        String shortage = "it goes to " + expected + (expected == 1 ? " subscription" : " subscriptions")
                + ", of which " + possible + " can have it, and " + this + " was asked for";
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
