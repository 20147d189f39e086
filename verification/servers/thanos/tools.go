//go:build tools

// Names the program of Thanos, so that go.mod pins what it is built from.
package tools

import _ "github.com/thanos-io/thanos/cmd/thanos"
