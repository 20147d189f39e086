package io.gpureclaimer.deviceplugin.health.device;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Enabled health checks: variables of NVIDIA's device plugin, and the catalogue of XIDs. What is
 * enabled counts even where everything is disabled.
 *
 * @param ignored XIDs that do not count
 * @param enforced XIDs that count in any case
 * @param hearsNothing whether no XID counts but the enforced, and no error of memory
 * @param enforcesAll whether every XID counts
 * @param seesNothing whether the recovery action does not count
 * @param problems what could not be understood, for people
 */
public record HealthChecks(
    Set<Integer> ignored,
    Set<Integer> enforced,
    boolean hearsNothing,
    boolean enforcesAll,
    boolean seesNothing,
    List<String> problems) {
  /** All of them, by the catalogue. */
  public static final HealthChecks ALL =
      new HealthChecks(Set.of(), Set.of(), false, false, false, List.of());

  private static final String EVERYTHING = "all";
  private static final String XIDS = "xids";

  public HealthChecks {
    ignored = Set.copyOf(ignored);
    enforced = Set.copyOf(enforced);
    problems = List.copyOf(problems);
  }

  /**
   * Understands the two variables; null or blank where they are not set.
   *
   * @param disabled {@code DP_DISABLE_HEALTHCHECKS}: {@code all}, {@code xids}, or XIDs with commas
   * @param enabled {@code DP_ENABLE_HEALTHCHECKS}: {@code all}, or XIDs with commas
   */
  public static HealthChecks of(@Nullable String disabled, @Nullable String enabled) {
    List<String> problems = new ArrayList<>();
    Set<Integer> off = new HashSet<>();
    Set<Integer> on = new HashSet<>();
    Set<String> offWords =
        words("DP_DISABLE_HEALTHCHECKS", disabled, Set.of(EVERYTHING, XIDS), off, problems);
    Set<String> onWords =
        words("DP_ENABLE_HEALTHCHECKS", enabled, Set.of(EVERYTHING), on, problems);
    boolean everything = offWords.contains(EVERYTHING);
    return new HealthChecks(
        off,
        on,
        everything || offWords.contains(XIDS),
        onWords.contains(EVERYTHING),
        everything,
        problems);
  }

  /** What an XID asks for; empty if it does not count. */
  Optional<RecoveryCondition> recoveryOf(int xid) {
    if (enforcesAll || enforced.contains(xid)) {
      return Optional.of(XidCatalogue.ifItCounts(xid));
    }
    return hearsNothing || ignored.contains(xid) ? Optional.empty() : XidCatalogue.of(xid);
  }

  /** Whether it still counts, if it was found when other checks were in force. */
  boolean count(HealthIssue issue) {
    return switch (issue.reason()) {
      case XID -> issue.xid() != null && recoveryOf(issue.xid()).isPresent();
      case DOUBLE_BIT_ECC -> !hearsNothing;
      case RECOVERY_ACTION -> !seesNothing;
      case UNREADABLE, ABSENT -> true;
    };
  }

  private static Set<String> words(
      String variable,
      @Nullable String value,
      Set<String> known,
      Set<Integer> xids,
      List<String> problems) {
    Set<String> words = new HashSet<>();
    for (String part : (value == null ? "" : value).split(",", -1)) {
      String word = part.strip().toLowerCase(Locale.ROOT);
      if (known.contains(word)) {
        words.add(word);
      } else if (word.matches("[0-9]{1,6}")) {
        xids.add(Integer.parseInt(word));
      } else if (!word.isEmpty()) {
        problems.add(
            variable
                + " must be "
                + String.join(" or ", known.stream().sorted().toList())
                + ", or numbers of XIDs with commas between them, had \""
                + word
                + "\", which is left out");
      }
    }
    return words;
  }

  /**
   * Required action for an XID, from NVIDIA's catalogue.
   *
   * <p>{@code IGNORE}: nothing. {@code RESET_GPU}, {@code RESTART_BM}, {@code RESTART_VM} and the
   * workflow for XID 48: a reset. Everything else, {@code RESTART_APP} and what the catalogue does
   * not know among it: the driver's word that the GPU is fit to be used.
   *
   * <p>Nothing is asked for either by the six that NVIDIA's device plugin ignores, as errors of
   * applications; by 94, an error that was contained to one application; and by 154, which says
   * that the recovery action is another one: that is read.
   */
  static final class XidCatalogue {
    private static final Set<Integer> OF_APPLICATIONS = Set.of(13, 31, 43, 45, 68, 109);
    private static final Set<Integer> CONTAINED = Set.of(94);
    private static final Set<Integer> TO_IGNORE =
        Set.of(
            14, 37, 38, 44, 63, 66, 67, 92, 93, 106, 107, 108, 121, 137, 141, 152, 153, 154, 157,
            160, 161);
    private static final Set<Integer> TO_RESET =
        Set.of(46, 48, 62, 64, 79, 95, 109, 110, 119, 120, 136, 140, 143, 151, 155, 156, 158);

    /** Empty if the GPU stays as healthy as it was. */
    static Optional<RecoveryCondition> of(int xid) {
      return OF_APPLICATIONS.contains(xid) || CONTAINED.contains(xid) || TO_IGNORE.contains(xid)
          ? Optional.empty()
          : Optional.of(ifItCounts(xid));
    }

    /** The same of an XID that the settings count in any case. */
    static RecoveryCondition ifItCounts(int xid) {
      return TO_RESET.contains(xid) ? RecoveryCondition.RESET : RecoveryCondition.ALL_CLEAR;
    }

    private XidCatalogue() {}
  }
}
