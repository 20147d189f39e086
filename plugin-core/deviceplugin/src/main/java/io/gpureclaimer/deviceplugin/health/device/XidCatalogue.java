package io.gpureclaimer.deviceplugin.health.device;

import java.util.Optional;
import java.util.Set;

/**
 * What an XID asks for, by the immediate action that NVIDIA's catalogue of XIDs names.
 *
 * <p>{@code IGNORE}: nothing. {@code RESET_GPU}, {@code RESTART_BM}, {@code RESTART_VM} and the
 * workflow for XID 48: a reset. Everything else, {@code RESTART_APP} and what the catalogue does
 * not know among it: the driver's word that the GPU is fit to be used.
 *
 * <p>Nothing is asked for either by the six that NVIDIA's device plugin ignores, as errors of
 * applications; by 94, an error that was contained to one application; and by 154, which says that
 * the recovery action is another one: that is read.
 */
final class XidCatalogue {
  private static final Set<Integer> OF_APPLICATIONS = Set.of(13, 31, 43, 45, 68, 109);
  private static final Set<Integer> CONTAINED = Set.of(94);
  private static final Set<Integer> TO_IGNORE =
      Set.of(
          14, 37, 38, 44, 63, 66, 67, 92, 93, 106, 107, 108, 121, 137, 141, 152, 153, 154, 157, 160,
          161);
  private static final Set<Integer> TO_RESET =
      Set.of(46, 48, 62, 64, 79, 95, 109, 110, 119, 120, 136, 140, 143, 151, 155, 156, 158);

  /** Empty if the GPU stays as healthy as it was. */
  static Optional<RecoveryCondition> of(int xid) {
    return OF_APPLICATIONS.contains(xid) || CONTAINED.contains(xid) || TO_IGNORE.contains(xid)
        ? Optional.empty()
        : Optional.of(ifItCounts(xid));
  }

  /** The same of an XID that somebody wants to count in any case. */
  static RecoveryCondition ifItCounts(int xid) {
    return TO_RESET.contains(xid) ? RecoveryCondition.RESET : RecoveryCondition.ALL_CLEAR;
  }

  private XidCatalogue() {}
}
