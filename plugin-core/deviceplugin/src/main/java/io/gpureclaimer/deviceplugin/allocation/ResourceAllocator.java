package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.preference.Candidate;
import io.gpureclaimer.deviceplugin.allocation.preference.PreferredAllocation;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Allocates the devices of one advertised resource. */
public final class ResourceAllocator implements Allocator {
  private final AdvertisedResource resource;
  private final Map<String, AdvertisedDevice> offered;
  private final Map<String, AllocationBlocker> blockers;
  private final PreferredAllocation preference;
  private final RequestCheck check;
  private final Response response;

  /**
   * Prepares the answers.
   *
   * @param resource what is offered
   * @param topology how the GPUs of the node are wired
   * @param rules how containers are given what they ask for
   * @param there what exists on the node now
   */
  public ResourceAllocator(
      AdvertisedResource resource,
      Topology topology,
      AllocationRules rules,
      NodeEnvironment there) {
    this.resource = resource;
    offered = HashMap.newHashMap(resource.portions().size());
    blockers = new HashMap<>();
    var findings = new AllocationBlockers(resource.name(), rules.response(), there);
    var candidates = new ArrayList<Candidate>();
    for (AdvertisedDevice portion : resource.portions()) {
      findings.of(portion).ifPresent(blocker -> blockers.put(portion.device().uuid(), blocker));
      for (String id : portion.ids()) {
        offered.put(id, portion);
        candidates.add(candidate(id, portion));
      }
    }
    preference = PreferredAllocation.of(candidates, topology, rules.policy());
    check = new RequestCheck(resource.name(), offered, rules.oneShareAtMost(), rules.policy());
    response = new Response(resource.name(), rules.response(), there);
  }

  private static Candidate candidate(String id, AdvertisedDevice portion) {
    Device device = portion.device();
    return new Candidate(id, device.uuid(), device.gpu(), device.numaNode(), portion.isShared());
  }

  /** The list for the kubelet; a device that no container can get is unhealthy. */
  public List<ListedDevice> devices() {
    return resource.portions().stream()
        .flatMap(portion -> portion.offered(portion.healthy() && isFree(portion)).stream())
        .toList();
  }

  /** Why no container can get a device, by its UUID. */
  public Map<String, AllocationBlocker> blockers() {
    return Map.copyOf(blockers);
  }

  private boolean isFree(AdvertisedDevice portion) {
    return !blockers.containsKey(portion.device().uuid());
  }

  @Override
  public List<String> prefer(Set<String> available, Set<String> required, int size) {
    return preference.choose(available, required, size);
  }

  @Override
  public Allocation allocate(List<String> ids) {
    Optional<String> refusal = check.refusal(ids).or(() -> blocker(ids));
    return refusal.isPresent()
        ? new Allocation.Refused(refusal.orElseThrow())
        : response.to(held(ids));
  }

  private Optional<String> blocker(List<String> ids) {
    return ids.stream()
        .flatMap(id -> Optional.ofNullable(offered.get(id)).stream())
        .flatMap(portion -> blocker(portion.device().uuid()).stream())
        .findFirst();
  }

  private Optional<String> blocker(String uuid) {
    return Optional.ofNullable(blockers.get(uuid))
        .map(blocker -> resource.name() + ", " + uuid + ": " + blocker.text());
  }

  /** In the order of the devices, whatever that of the request. */
  private List<AllocatedDevice> held(List<String> ids) {
    var shares = new LinkedHashMap<AdvertisedDevice, @Nullable Integer>();
    ids.stream()
        .flatMap(id -> Optional.ofNullable(offered.get(id)).stream())
        .sorted((one, other) -> one.device().index().compareTo(other.device().index()))
        .forEach(portion -> shares.merge(portion, 1, Integer::sum));
    return shares.entrySet().stream()
        .map(
            entry ->
                new AllocatedDevice(
                    entry.getKey(), Optional.ofNullable(entry.getValue()).orElse(1)))
        .toList();
  }
}
