package io.gpureclaimer.core.nvml;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_P2P_CAPS_INDEX_NVLINK;

/** Every question about two GPUs at once. */
final class PeerQuestions {

  static Question<P2pStatus> nvlink(long peer) {
    return new Question<>(
        "nvmlDeviceGetP2PStatus",
        (lib, device, out) ->
            lib.nvmlDeviceGetP2PStatus(device, peer, NVML_P2P_CAPS_INDEX_NVLINK, out.scalar(0)),
        out -> P2pStatus.of((int) out.unsignedInt(0)));
  }

  private PeerQuestions() {}
}
