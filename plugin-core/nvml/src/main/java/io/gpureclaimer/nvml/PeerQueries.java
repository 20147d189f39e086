package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_CAPS_INDEX_NVLINK;

/** Queries about two GPUs, and about the links between them. */
final class PeerQueries {

  static NvmlQuery<P2pStatus> nvlink(long peer) {
    return new NvmlQuery<>(
        "nvmlDeviceGetP2PStatus",
        (lib, device, out) ->
            lib.nvmlDeviceGetP2PStatus(device, peer, NVML_P2P_CAPS_INDEX_NVLINK, out.scalar(0)),
        out -> P2pStatus.of((int) out.unsignedInt(0)));
  }

  static NvmlQuery<Integer> commonAncestor(long peer) {
    return new NvmlQuery<>(
        "nvmlDeviceGetTopologyCommonAncestor",
        (lib, device, out) ->
            lib.nvmlDeviceGetTopologyCommonAncestor(device, peer, out.freshScalar(0)),
        out -> (int) out.unsignedInt(0));
  }

  /** Whether it is up; a link that this board does not have is unsupported. */
  static NvmlQuery<Boolean> linkIsUp(int link) {
    return new NvmlQuery<>(
        "nvmlDeviceGetNvLinkState",
        (lib, device, out) ->
            DeviceStructs.unknownIsUnsupported(
                lib.nvmlDeviceGetNvLinkState(device, link, out.freshScalar(0))),
        out -> out.unsignedInt(0) != 0);
  }

  static NvmlQuery<Integer> remoteType(int link) {
    return new NvmlQuery<>(
        "nvmlDeviceGetNvLinkRemoteDeviceType",
        (lib, device, out) ->
            lib.nvmlDeviceGetNvLinkRemoteDeviceType(device, link, out.freshScalar(0)),
        out -> (int) out.unsignedInt(0));
  }

  static NvmlQuery<String> remoteBusId(int link) {
    return new NvmlQuery<>(
        "nvmlDeviceGetNvLinkRemotePciInfo_v2",
        (lib, device, out) -> {
          out.pci.busId.set("");
          return lib.nvmlDeviceGetNvLinkRemotePciInfo_v2(device, link, out.pci);
        },
        out -> PciBusId.text(out.pci));
  }

  private PeerQueries() {}
}
