//go:build tools

// Names the program of Prometheus, so that go.mod pins what it is built from.
package tools

import _ "github.com/prometheus/prometheus/cmd/prometheus"
