package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds why a request cannot be granted, and says what to change. */
final class RequestCheck {
  private final ResourceName name;
  private final Map<String, AdvertisedDevice> offered;
  private final boolean oneShareAtMost;
  private final SharePolicy policy;

  RequestCheck(
      ResourceName name,
      Map<String, AdvertisedDevice> offered,
      boolean oneShareAtMost,
      SharePolicy policy) {
    this.name = name;
    this.offered = offered;
    this.oneShareAtMost = oneShareAtMost;
    this.policy = policy;
  }

  /** Empty if nothing speaks against it. */
  Optional<String> refusal(List<String> ids) {
    return Optional.ofNullable(reason(ids)).map(why -> name + ": " + why);
  }

  private @Nullable String reason(List<String> ids) {
    if (ids.isEmpty()) {
      return "no device was requested; request at least one, or remove the resource";
    }
    var seen = new HashSet<String>();
    for (String id : ids) {
      AdvertisedDevice portion = offered.get(id);
      if (portion == null) {
        return "the device "
            + id
            + " is not offered on this node, because the kubelet's list is outdated; "
            + "create the pod again";
      }
      if (!seen.add(id)) {
        return "the device " + id + " was requested twice; name each device once";
      }
      if (!portion.healthy()) {
        return "the device "
            + id
            + " is unhealthy by now; create the pod again, which then gets another one";
      }
    }
    return sharing(ids);
  }

  private @Nullable String sharing(List<String> ids) {
    Optional<Sharing.SharingKind> kind =
        ids.stream()
            .map(offered::get)
            .filter(portion -> portion != null && portion.isShared())
            .map(AdvertisedDevice::sharing)
            .findFirst();
    if (kind.isEmpty() || ids.size() == 1) {
      return null;
    }
    if (oneShareAtMost) {
      return "a container may ask for 1 share of a GPU, was "
          + ids.size()
          + ", because more shares do not bring a larger part of a GPU: request 1, or set "
          + kind.orElseThrow().key()
          + ".failRequestsGreaterThanOne to false";
    }
    return policy == SharePolicy.SPREAD ? twice(ids) : null;
  }

  private @Nullable String twice(List<String> ids) {
    Map<String, Long> shares =
        ids.stream()
            .map(offered::get)
            .collect(
                Collectors.groupingBy(portion -> portion.device().uuid(), Collectors.counting()));
    return shares.values().stream().allMatch(count -> count == 1)
        ? null
        : "the policy spread allocates each share from another GPU, and only "
            + shares.size()
            + " have shares left for the "
            + ids.size()
            + " that were asked for: ask for fewer, wait, or set the shared devices' allocation"
            + " policy to distributed";
  }
}
